/**
 * One definition of a node's settings: name, kind, default, limits. The editor takes its `defaults` from it, the runtime
 * its types and its parsing. Imported by editor scripts too, so it imports nothing.
 */

interface FieldBase<T> {
  readonly default: T;
  readonly required?: boolean;
}

export interface TextField extends FieldBase<string> {
  readonly kind: 'text';
  /** Regular expression, as text, that a non-empty value must match as a whole. */
  readonly pattern?: string;
}

export interface NumberField extends FieldBase<number> {
  readonly kind: 'number';
  readonly minimum?: number;
  readonly maximum?: number;
}

export interface BooleanField extends FieldBase<boolean> {
  readonly kind: 'boolean';
}

export interface ChoiceField<C extends string = string> extends FieldBase<C> {
  readonly kind: 'choice';
  readonly options: readonly C[];
}

/** A list; its items are checked by the node's own code. */
export interface ListField<T = unknown> extends FieldBase<readonly T[]> {
  readonly kind: 'list';
}

/** A reference to a config node: always a top-level setting. Blank means the default of contracts.md 1. */
export interface ConfigField extends FieldBase<string> {
  readonly kind: 'config';
  readonly type: string;
}

export type Field = TextField | NumberField | BooleanField | ChoiceField | ListField | ConfigField;
export type Fields = Readonly<Record<string, Field>>;

export const text = (value = '', options: Omit<TextField, 'kind' | 'default'> = {}): TextField => ({
  kind: 'text',
  default: value,
  ...options,
});
export const number = (value: number, options: Omit<NumberField, 'kind' | 'default'> = {}): NumberField => ({
  kind: 'number',
  default: value,
  ...options,
});
export const flag = (value: boolean): BooleanField => ({ kind: 'boolean', default: value });
export const choice = <const C extends string>(options: readonly C[], value: NoInfer<C>): ChoiceField<C> => ({
  kind: 'choice',
  options,
  default: value,
});
export const list = <T = unknown>(value: readonly T[] = []): ListField<T> => ({ kind: 'list', default: value });
export const config = (type: string): ConfigField => ({ kind: 'config', default: '', type });

type ValueOf<F extends Field> = F extends NumberField
  ? number
  : F extends BooleanField
    ? boolean
    : F extends ChoiceField<infer C>
      ? C
      : F extends ListField<infer T>
        ? readonly T[]
        : string;

/** The runtime type of a node's settings. */
export type ConfigOf<F extends Fields> = { readonly [K in keyof F]: ValueOf<F[K]> };

/** Settings that every node has. `name` comes first in every dialog. */
export const commonFields = { name: text(), settingsVersion: number(1) } as const;

/** The editor's `defaults`. Faults are shown by validators that speak: text, not just false. */
export function defaultsOf(fields: Fields): Record<string, Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [
      name,
      {
        value: shownDefault(field.default),
        ...(field.required ? { required: true } : {}),
        // The editor itself tells whether a chosen config node exists, but only where no validator is given.
        ...(field.kind === 'config'
          ? { type: field.type, required: false }
          : { validate: (value: unknown, _options: unknown) => faultOf(name, field, value) ?? true }),
      },
    ]),
  );
}

/** Node-RED leaves out a default of 0 when it makes a config node; as text, which every dialog saves anyway, it stays. */
function shownDefault(value: unknown): unknown {
  if (Array.isArray(value)) return [...(value as readonly unknown[])];
  return value === 0 ? '0' : value;
}

const isEnvironment = (value: unknown): boolean => typeof value === 'string' && /^\$\{[^}]+\}$/.test(value);

/** What is wrong with a value, in words; nothing when it is right. */
export function faultOf(name: string, field: Field, value: unknown): string | undefined {
  if (isEnvironment(value)) return undefined;
  const isBlank = value === undefined || value === null || value === '';
  if (isBlank) return field.required ? `${name} is needed` : undefined;
  switch (field.kind) {
    case 'number': {
      const parsed = Number(value);
      if (!Number.isFinite(parsed)) return `${name} must be a number, not "${String(value)}"`;
      if (field.minimum !== undefined && parsed < field.minimum) return `${name} must be at least ${field.minimum}`;
      if (field.maximum !== undefined && parsed > field.maximum) return `${name} must be at most ${field.maximum}`;
      return undefined;
    }
    case 'choice':
      return field.options.includes(String(value)) ? undefined : `${name} must be one of ${field.options.join(', ')}`;
    case 'list':
      return Array.isArray(value) ? undefined : `${name} must be a list`;
    case 'text':
      return field.pattern && !new RegExp(`^(?:${field.pattern})$`).test(String(value))
        ? `${name} "${String(value)}" is not in the right form`
        : undefined;
    default:
      return undefined;
  }
}

/** Parses what the editor or a hand-written flow saved. A faulty value gives its default and a fault in words. */
export function readConfig<F extends Fields>(
  fields: F,
  saved: Readonly<Record<string, unknown>>,
): { config: ConfigOf<F>; faults: string[] } {
  const faults: string[] = [];
  const config: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) {
    const value = saved[name];
    const fault = isEnvironment(value)
      ? `${name} names an environment variable that is not set`
      : faultOf(name, field, value);
    if (fault) faults.push(fault);
    const isBlank = value === undefined || value === null || value === '';
    config[name] = isBlank || fault ? field.default : parsed(field, value);
  }
  return { config: config as ConfigOf<F>, faults };
}

function parsed(field: Field, value: unknown): unknown {
  switch (field.kind) {
    case 'number':
      return Number(value);
    case 'boolean':
      return value === true || value === 'true';
    case 'list':
      return value;
    default:
      return String(value);
  }
}
