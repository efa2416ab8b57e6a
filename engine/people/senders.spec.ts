import assert from 'node:assert/strict';
import { readSenders } from './senders.ts';

describe('who may ask', () => {
  it('is everybody when nobody is named', () => {
    for (const text of [undefined, '', ' \n ']) {
      assert.equal(readSenders(text).isOpen, true);
      assert.equal(readSenders(text).allows({}), true);
    }
  });

  it('is else who is named, as a person, an agent or a house, exactly as written', () => {
    const senders = readSenders(' ana \r\nkitchen-agent\nPi 2\n');
    assert.equal(senders.isOpen, false);
    for (const sender of [{ user: 'ana' }, { agentId: 'kitchen-agent', user: 'x' }, { house: 'Pi 2' }]) {
      assert.equal(senders.allows(sender), true);
    }
    for (const sender of [{}, { user: 'Ana' }, { user: 'an' }, { agentId: '' }, { process: 'ana' }]) {
      assert.equal(senders.allows(sender), false);
    }
  });
});
