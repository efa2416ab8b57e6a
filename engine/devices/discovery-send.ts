/** How what MQTT discovery says becomes something to set or to read: topics, templates, ranges. */
import type { DeviceReading, DeviceSetting, Send } from './device.ts';
import type { Config } from './discovery-words.ts';
import { pathOfTemplate, textOfTemplate } from './templates.ts';

export const text = (config: Config, key: string): string | undefined =>
  typeof config[key] === 'string' && config[key] !== '' ? config[key] : undefined;
export const number = (config: Config, key: string, usual: number): number =>
  typeof config[key] === 'number' ? config[key] : usual;
export const list = (config: Config, key: string): string[] =>
  Array.isArray(config[key]) ? (config[key] as unknown[]).map(String) : [];

/** Where a value goes, when its template can be carried out. */
export function sendTo(config: Config, topicKey: string, templateKey: string): Send | undefined {
  const topic = text(config, topicKey);
  const template = textOfTemplate(config[templateKey]);
  if (topic === undefined || template === undefined || /[+#]/.test(topic)) return undefined;
  return {
    topic,
    ...(template === '{value}' ? {} : { text: template }),
    ...(config['retain'] === true ? { retain: true } : {}),
  };
}

export const choice = (
  what: string,
  values: Readonly<Record<string, unknown>>,
  send: Send | undefined,
): DeviceSetting[] => (send && Object.keys(values).length ? [{ what, type: 'choice', values, send }] : []);

export const spoken = (values: readonly string[]): Record<string, string> =>
  Object.fromEntries(values.map((value) => [value.replaceAll('_', ' ').toLowerCase(), value]));

export function range(what: string, send: Send | undefined, more: Partial<DeviceSetting>): DeviceSetting[] {
  return send ? [{ what, type: 'number', send, ...more }] : [];
}

/** 0 to 100 % of what it counts itself. */
export const percent = (from: number, to: number): Partial<DeviceSetting> => ({
  ...{ minimum: 0, maximum: 100, unit: '%' },
  ...(from === 0 && to === 100 ? {} : { wire: [from, to] as const }),
});

interface Told extends Partial<Pick<DeviceReading, 'unit' | 'words' | 'wire'>> {
  readonly topic?: string;
  readonly template?: string;
}

export function reading(
  config: Config,
  what: string,
  { topic = 'state_topic', template = 'value_template', ...more }: Told,
): DeviceReading[] {
  const where = text(config, topic);
  const path = pathOfTemplate(config[template]);
  return where !== undefined && path !== undefined ? [{ what, topic: where, path, ...more }] : [];
}

export const onOffWords = (config: Config): Record<string, string> => ({
  [String(config['state_on'] ?? config['payload_on'] ?? 'ON')]: 'on',
  [String(config['state_off'] ?? config['payload_off'] ?? 'OFF')]: 'off',
});

export const onOff = (config: Config, send: Send | undefined): DeviceSetting[] =>
  choice('state', { on: config['payload_on'] ?? 'ON', off: config['payload_off'] ?? 'OFF' }, send);
