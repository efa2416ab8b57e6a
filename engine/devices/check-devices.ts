/** Devices as they were saved with a flow: checked by shape, for somebody may have written them by hand. */
import { folkmootError } from '../errors.ts';
import { ajv } from '../language/ajv.ts';
import { schemaWords } from '../language/schema-words.ts';
import { deviceKinds, type Device } from './device.ts';
import { deviceLimits } from './device-limits.ts';

const text = { type: 'string', maxLength: 500 };
const topic = { type: 'string', minLength: 1, maxLength: 500, pattern: '^[^#+]+$' };
const path = { type: 'array', items: text, maxItems: 10 };

const send = {
  type: 'object',
  required: ['topic'],
  additionalProperties: false,
  properties: {
    topic,
    path,
    text,
    with: { type: 'object' },
    order: { enum: ['first', 'last'] },
    retain: { type: 'boolean' },
  },
};

const range = { type: 'array', items: { type: 'number' }, minItems: 2, maxItems: 2 };

const setting = {
  type: 'object',
  required: ['what', 'type', 'send'],
  additionalProperties: false,
  properties: {
    what: { type: 'string', pattern: '^[a-z][a-z ]{0,40}$' },
    type: { enum: ['choice', 'number'] },
    values: { type: 'object', maxProperties: 100 },
    minimum: { type: 'number' },
    maximum: { type: 'number' },
    step: { type: 'number' },
    unit: text,
    wire: range,
    isMired: { type: 'boolean' },
    send,
  },
};

const reading = {
  type: 'object',
  required: ['what', 'topic', 'path'],
  additionalProperties: false,
  properties: {
    what: text,
    topic,
    path,
    unit: text,
    wire: range,
    words: { type: 'object', additionalProperties: text },
  },
};

const schema = {
  type: 'array',
  maxItems: deviceLimits.devices,
  items: {
    type: 'object',
    required: ['id', 'source', 'name', 'aliases', 'kind', 'risk', 'settings', 'readings'],
    additionalProperties: false,
    properties: {
      id: text,
      source: { enum: ['zigbee2mqtt', 'discovery'] },
      name: { type: 'string', minLength: 1, maxLength: 200 },
      room: text,
      aliases: { type: 'array', items: text, maxItems: 8 },
      kind: { enum: [...deviceKinds] },
      risk: { enum: ['read', 'reversible', 'critical'] },
      settings: { type: 'array', items: setting, maxItems: deviceLimits.exposes },
      readings: { type: 'array', items: reading, maxItems: deviceLimits.exposes },
    },
  },
};

/** Throws FOLKMOOT_LANGUAGE_INVALID with the device and what is wrong with it. */
export function checkedDevices(saved: unknown): readonly Device[] {
  const validate = ajv().compile(schema);
  if (validate(saved)) return saved as readonly Device[];
  const [error] = validate.errors ?? [];
  const at = Number(error?.instancePath.split('/')[1]);
  const named = Array.isArray(saved) ? (saved[at] as { name?: unknown } | undefined)?.name : undefined;
  const where = typeof named === 'string' ? `Device ${named}` : `Device number ${at + 1}`;
  throw folkmootError('FOLKMOOT_LANGUAGE_INVALID', `${where}: ${error ? schemaWords(error) : 'is not readable'}.`);
}
