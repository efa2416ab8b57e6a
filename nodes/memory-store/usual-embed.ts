/** The embedding that needs no memory store: similar by wording. */
import { createLexicalEmbed } from '../../engine/memory/lexical.ts';
import type { Embed } from '../../engine/memory/embed.ts';

/** How similar texts of different lengths are by wording, when they are about the same. */
export const usualSimilarity = 0.15;

export const usualEmbed = (): Embed => createLexicalEmbed();
