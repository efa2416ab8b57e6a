/** Bodies that are nearly right. */

/** Paths of everything in a value. */
export function pathsOf(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([name, inner]) => pathsOf(inner, [...path, name]))];
}

/** A copy with one place put to another value, dropped, or given a field more. */
export function changed(body: unknown, path: readonly string[], how: string, value: unknown): unknown {
  if (path.length === 0) return how === 'put' ? value : body;
  const copy = structuredClone(body) as Record<string, unknown>;
  let at = copy;
  for (const name of path.slice(0, -1)) at = at[name] as Record<string, unknown>;
  const last = path.at(-1) ?? '';
  if (how === 'put') at[last] = value;
  else if (how === 'add') at['more'] = value;
  else delete at[last];
  return copy;
}
