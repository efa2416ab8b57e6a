/** The few templates of MQTT discovery that can be carried out without a template language; all others are refused. */

/** `{{ value_json.a.b }}` → [a, b]; `{{ value }}` or none → []. Undefined: it is more than that. */
export function pathOfTemplate(template: unknown): readonly string[] | undefined {
  if (template === undefined || template === null || template === '') return [];
  const inner = /^\{\{-?\s*([^{}|]+?)\s*(?:\|\s*(?:float|int|round)(?:\s*\([^()]*\))?\s*)*-?\}\}$/.exec(
    String(template).trim(),
  )?.[1];
  if (inner === 'value') return [];
  const places = /^value_json((?:\.\w+|\[\s*(?:'[^']+'|"[^"]+")\s*\])+)$/.exec(inner ?? '')?.[1];
  if (places === undefined) return undefined;
  return [...places.matchAll(/\.(\w+)|\[\s*['"]([^'"]+)['"]\s*\]/g)].map(([, plain, quoted]) => plain ?? quoted ?? '');
}

/** A command's template as a text with `{value}`: `{"t": {{ value }}}` → `{"t": {value}}`. Undefined: it is more than that. */
export function textOfTemplate(template: unknown): string | undefined {
  if (template === undefined || template === null || template === '') return '{value}';
  const text = String(template);
  const holes = [...text.matchAll(/\{\{-?\s*([^{}]*?)\s*-?\}\}/g)];
  const isPlain = holes.every(([, inner]) => /^value(?:\s*\|\s*(?:int|float|tojson|string))?$/.test(inner ?? ''));
  if (text.includes('{%') || holes.length === 0 || !isPlain) return undefined;
  return text.replace(/\{\{-?[^{}]*-?\}\}/g, '{value}');
}
