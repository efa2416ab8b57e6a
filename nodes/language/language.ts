/** Config node: what the house can do. */
import type { Device } from '../../engine/devices/device.ts';
import { folkmootError } from '../../engine/errors.ts';
import { languageOfSchema } from '../../engine/graphql/schema.ts';
import { createLanguage, type Language } from '../../engine/language/language.ts';
import { checkedDevices } from '../../engine/devices/check-devices.ts';
import { defineNode } from '../shared/define-node.ts';
import type { Red } from '../shared/red.ts';
import { serveDevices } from './devices-endpoint.ts';
import { languageFields } from './language.fields.ts';
import { serveSchemaCheck } from './schema-check.ts';

const languages = new WeakMap<object, Language>();

/** The language that a node uses; blank: none. Throws FOLKMOOT_MISSING_CONFIG. */
export function languageOf(RED: Red, id: string): Language | undefined {
  if (!id) return undefined;
  const node = RED.nodes.getNode(id);
  const language = node ? languages.get(node) : undefined;
  if (!language) {
    throw folkmootError('FOLKMOOT_MISSING_CONFIG', 'The chosen language is missing, disabled or has an error.');
  }
  return language;
}

const withDevices = (made: Language, devices: readonly Device[]): Language =>
  devices.length ? { ...made, devices } : made;

export default function language(RED: Red): void {
  serveSchemaCheck(RED);
  serveDevices(RED);
  defineNode(RED, {
    type: 'folkmoot-language',
    fields: languageFields,
    start({ node, config, faults }) {
      // A list that is none would be an empty language, in which nothing can be said.
      if (faults.length > 0)
        throw folkmootError('FOLKMOOT_LANGUAGE_INVALID', `The language is not right: ${faults.join('; ')}.`);
      languages.set(
        node,
        config.kind === 'graphql'
          ? languageOfSchema(config.schema)
          : withDevices(createLanguage(config.functions), checkedDevices(config.devices)),
      );
      return {};
    },
  });
}
