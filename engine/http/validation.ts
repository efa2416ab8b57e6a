/** Checks a body and tells what is wrong in the form that clients of gpt-multi-atomic-agents know (row 72). */
import { looseAjv } from '../language/ajv.ts';
import type { ErrorObject, ValidateFunction } from '../language/ajv.ts';
import { limits } from '../limits.ts';

/** One entry of `{ detail: [...] }` in an answer with status 422. */
export interface Detail {
  /** `body`, then names and positions. */
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  /** `missing`, `extra_forbidden`, `string_type`, `list_type`, `dict_type`, `model_attributes_type`, `enum`, `json_invalid`, `value_error`. */
  readonly type: string;
  /** Of `json_invalid`. */
  readonly ctx?: { readonly error: string };
}

const compiled = new Map<object, ValidateFunction>();

/** Undefined when the body is of that form; else what is wrong, at most `limits.findings` entries. */
export function detailOf(schema: object, body: unknown): readonly Detail[] | undefined {
  const validate = compiled.get(schema) ?? looseAjv().compile(schema);
  compiled.set(schema, validate);
  if (validate(body)) return undefined;
  const errors = (validate.errors ?? []).filter((error) => !isAlternative(error));
  return errors.slice(0, limits.findings).map(detail);
}

/** Of what should be an object with known fields. */
export const notAnObject: Pick<Detail, 'msg' | 'type'> = {
  msg: 'Input should be a valid dictionary or object to extract fields from',
  type: 'model_attributes_type',
};

/** "or null" repeats what the first alternative says. */
const isAlternative = ({ keyword, schemaPath, params }: ErrorObject): boolean =>
  keyword === 'anyOf' || (/\/anyOf\/1\/type$/.test(schemaPath) && (params as { type: unknown }).type === 'null');

/** What is not right in itself although its form is. */
export const valueDetail = (loc: Detail['loc'], msg: string): Detail => ({ loc, msg, type: 'value_error' });

const placeOf = ({ instancePath }: ErrorObject): (string | number)[] =>
  instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replace(/~1/g, '/').replace(/~0/g, '~'))
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part));

function detail(error: ErrorObject): Detail {
  const loc = ['body', ...placeOf(error)];
  const params = error.params as Record<string, unknown>;
  switch (error.keyword) {
    case 'required':
      return { loc: [...loc, String(params['missingProperty'])], msg: 'Field required', type: 'missing' };
    case 'additionalProperties':
      return {
        loc: [...loc, String(params['additionalProperty'])],
        msg: 'Extra inputs are not permitted',
        type: 'extra_forbidden',
      };
    case 'enum': {
      const allowed = (params['allowedValues'] as readonly unknown[]).map((value) => `'${String(value)}'`);
      const last = allowed.pop() ?? '';
      const all = allowed.length ? `${allowed.join(', ')} or ${last}` : last;
      return { loc, msg: `Input should be ${all}`, type: 'enum' };
    }
    case 'type':
      return { loc, ...wrongType(String(params['type']), loc.at(-1)) };
    default:
      return { loc, msg: error.message ?? 'Input is not valid', type: 'value_error' };
  }
}

/** There, an object is either one with known fields, or one with any. */
function wrongType(type: string, field: string | number | undefined): Pick<Detail, 'msg' | 'type'> {
  if (type === 'array') return { msg: 'Input should be a valid list', type: 'list_type' };
  if (type === 'object')
    return field === 'agent_parameters' || field === 'parameters'
      ? { msg: 'Input should be a valid dictionary', type: 'dict_type' }
      : notAnObject;
  return { msg: `Input should be a valid ${type}`, type: `${type}_type` };
}
