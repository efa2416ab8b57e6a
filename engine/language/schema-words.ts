/** What is wrong with the form of a function, in words. */
import type { ErrorObject } from './ajv.ts';

/** For the end of a sentence: "\"name\" is missing". */
export function schemaWords(error: ErrorObject): string {
  const params = error.params as Record<string, unknown>;
  switch (error.keyword) {
    case 'required':
      return `"${String(params['missingProperty'])}" is missing`;
    case 'additionalProperties':
      return `"${String(params['additionalProperty'])}" is not a setting of it`;
    case 'enum':
      return `has to be one of ${(params['allowedValues'] as string[]).join(', ')}`;
    case 'type':
      return `has to be of type ${String(params['type'])}`;
    case 'pattern':
      return 'a name begins with a letter and holds only letters, digits and underscores, at most 64';
    case 'maxItems':
      return `at most ${String(params['limit'])} are allowed`;
    default:
      return error.message ?? 'is not valid';
  }
}
