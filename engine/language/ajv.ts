/** ajv, loaded on first use: it costs 6 MB that a home without a language need not pay. */
import { createRequire } from 'node:module';
import type { Ajv, ErrorObject, ValidateFunction } from 'ajv';

export type { ErrorObject, ValidateFunction };

let instance: Ajv | undefined;

/** The one ajv of the language. `allErrors`, so that a finding names everything that is wrong at once. */
export function ajv(): Ajv {
  if (!instance) {
    // ajv is CommonJS: this is the only way to load it late without making every caller wait.
    const { Ajv: Constructor } = createRequire(import.meta.url)('ajv') as { Ajv: typeof Ajv };
    instance = new Constructor({ allErrors: true, strict: true, strictRequired: false, allowUnionTypes: true });
    instance.addFormat('date-time', isDateTime);
  }
  return instance;
}

let loose: Ajv | undefined;

/** For schemas that people or other programs wrote: keywords and formats that are not known are passed over. */
export function looseAjv(): Ajv {
  if (!loose) {
    const { Ajv: Constructor } = createRequire(import.meta.url)('ajv') as { Ajv: typeof Ajv };
    loose = new Constructor({ allErrors: true, strict: false, validateFormats: false, addUsedSchema: false });
  }
  return loose;
}

/** ISO 8601 date, with or without time and zone: `2026-03-01`, `2026-03-01T07:30`, `2026-03-01T07:30:00+01:00`. */
export const isDateTime = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/.test(text) &&
  !Number.isNaN(Date.parse(text));
