import assert from 'node:assert/strict';
import { logLine } from './log.ts';

describe('what the terminal shows of Node-RED', () => {
  it('names the node and says what happened, without a stack trace', () => {
    const line = logLine({ level: 20, type: 'mqtt in', name: 'hall', msg: new Error('lost') }) ?? '';
    assert.match(line, /^\d\d:\d\d:\d\d error mqtt in "hall": lost$/);
  });

  it('leaves out what every start says, and shortens what is endless', () => {
    assert.equal(logLine({ level: 30, msg: 'Projects disabled : editorTheme.projects.enabled=false' }), undefined);
    assert.equal(logLine({ level: 30, msg: '-'.repeat(54) }), undefined);
    assert.equal(logLine({ level: 30, msg: 'x'.repeat(5_000) })?.length, 1_000);
  });
});
