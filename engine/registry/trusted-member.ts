/** An agent elsewhere as a member of a team here: what its card says, within what this house itself can do. */
import type { AgentDefinition } from '../agent/definition.ts';
import type { CardBody } from '../bus/our-payloads.ts';
import { functionsWithFollowing } from '../language/following.ts';
import type { Language } from '../language/language.ts';

export interface OwnWords {
  readonly agentId: string;
  readonly name: string;
  /** Blank: the card's. */
  readonly description: string;
  /** What this house can do. Undefined: the agent may only talk. */
  readonly language: Language | undefined;
  /** What it may do here at most, function names or `category:NAME`; empty: all that its card says. */
  readonly generates: readonly string[];
}

/** A stranger's text becomes part of a planner's prompt. */
const descriptionChars = 500;
/** Topics and parameters of a card that are looked at. */
const wordsOfCard = 50;

/**
 * Functions and their specs are always this house's own: what a card says of them is never used, or a stranger could say
 * that unlocking a door is harmless. Without a card it may do what it is allowed here.
 */
export function trustedMember(card: CardBody | undefined, own: OwnWords): AgentDefinition {
  const { topics = [], parameters = [], description = '' } = card ?? {};
  return {
    agentId: own.agentId,
    name: own.name,
    description: (own.description || plain(description)).slice(0, descriptionChars),
    topics: topics.slice(0, wordsOfCard).map(plain),
    parameters: parameters.slice(0, wordsOfCard).map(plain),
    instructions: '',
    ...rightsOf(card, own),
  };
}

function rightsOf(
  card: CardBody | undefined,
  { language, generates: own }: OwnWords,
): Pick<AgentDefinition, 'accepts' | 'generates' | 'functions'> {
  if (!language) return { accepts: [], generates: [], functions: [] };
  const isOurs = (name: string) => language.find(name)?.name === name;
  const allowed = language.resolve(own);
  const said = card ? (card.generates ?? []) : allowed;
  const generates = unique(said).filter((name) => isOurs(name) && (own.length === 0 || allowed.includes(name)));
  const accepts = unique(card?.accepts ?? []).filter(isOurs);
  return { accepts, generates, functions: functionsWithFollowing([...accepts, ...generates], language) };
}

const unique = (names: readonly string[]): string[] => [...new Set(names)];

const plain = (text: string): string => text.replace(/\p{C}+/gu, ' ').trim();
