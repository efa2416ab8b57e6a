/** Built-in tools as a toolbox: always there. */
import { folkmootError } from '../../errors.ts';
import type { Parameters } from '../../moot.ts';
import type { Toolbox } from '../toolbox.ts';
import type { BuiltInTool } from './local-system.ts';

export function createPackToolbox(pack: readonly BuiltInTool[]): Toolbox {
  let isClosed = false;
  return {
    get state() {
      return isClosed ? 'closed' : 'up';
    },
    tools: () => (isClosed ? [] : pack.map(({ settings: { timeoutMs: _, ...rest } }) => rest)),
    async call(name, given) {
      const found = isClosed ? undefined : pack.find(({ settings }) => settings.name === name);
      if (!found) throw folkmootError('FOLKMOOT_TOOL_AWAY', `There is no tool ${name} in this toolbox.`);
      return found.run(given as Parameters);
    },
    onChange: () => () => undefined,
    close: () => {
      isClosed = true;
      return Promise.resolve();
    },
  };
}
