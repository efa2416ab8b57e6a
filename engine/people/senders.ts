/**
 * Who may ask over a bus (P1): people by the name in their request, agents by `AGENT_ID`, homes by `HOUSE`. Anybody can
 * write any name: it is the broker's access rules that make names true (see `folkmoot acl`).
 */
import type { Sender } from '../bus/our-properties.ts';

export interface Senders {
  /** Nobody is refused here. */
  readonly isOpen: boolean;
  allows(sender: Sender): boolean;
}

/** More names than these in a list are a mistake. */
const namesMost = 10_000;

/** @param text Names as they are written in messages, one a line; blank: everybody whom the broker lets in. */
export function readSenders(text = ''): Senders {
  const lines = text.split('\n', namesMost).map((line) => line.trim());
  const names = new Set(lines.filter(Boolean));
  return {
    isOpen: names.size === 0,
    allows: ({ agentId, user, house }) =>
      names.size === 0 || [agentId, user, house].some((name) => name !== undefined && names.has(name)),
  };
}

/** Who is refused, for a log. */
export const nameOf = ({ agentId, user, house }: Sender): string =>
  user ?? agentId ?? house ?? 'somebody without a name';

/** The whole reply to whoever is refused. */
export const refusedSenderWords = 'Sorry, you are not among those who may ask here.';
