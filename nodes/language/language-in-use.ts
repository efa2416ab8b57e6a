/** The language of a node that names one, else of all language nodes of the flows together. */
import { createLanguage, type Language } from '../../engine/language/language.ts';
import type { Red } from '../shared/red.ts';
import { languageOf } from './language.ts';

/** Blank: every function of every language node that stands, the first of a name. Throws FOLKMOOT_MISSING_CONFIG. */
export function languageInUse(RED: Red, id: string): Language {
  return languageOf(RED, id) ?? joined(languagesOf(RED));
}

function languagesOf(RED: Red): Language[] {
  const found: Language[] = [];
  RED.nodes.eachNode((config) => {
    if (config['type'] !== 'folkmoot-language' || typeof config['id'] !== 'string') return;
    try {
      const language = languageOf(RED, config['id']);
      if (language) found.push(language);
    } catch {
      // Disabled or faulty: that is told where it is chosen.
    }
  });
  return found;
}

function joined(languages: readonly Language[]): Language {
  const [first, ...others] = languages;
  if (first && others.length === 0) return first;
  const byName = new Map(
    languages
      .flatMap(({ functions }) => functions)
      .reverse()
      .map((spec) => [spec.name.toLowerCase(), spec]),
  );
  const schemas = languages.flatMap(({ graphql }) => graphql?.schemas ?? []);
  const devices = languages.flatMap((one) => one.devices ?? []);
  return {
    ...createLanguage([...byName.values()]),
    ...(schemas.length ? { graphql: { schemas } } : {}),
    ...(devices.length ? { devices } : {}),
  };
}
