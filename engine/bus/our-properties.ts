/**
 * The MQTT user properties that say who sends, in one place: on our own topics and on replies over A.M.I.C.A.'s, where
 * they tell ours from others'. A.M.I.C.A.'s readers pass over properties that they don't know (seed-contracts.md A3).
 */

export const propertyNames = {
  /** agentId of who answers or asks. */
  agent: 'AGENT_ID',
  house: 'HOUSE',
  /** The process's id, as in its presence. */
  process: 'PROCESS',
  /** The person on whose behalf it is sent. */
  user: 'USER_NAME',
  /** How many runs led to it: what goes round in circles between houses comes to an end. */
  depth: 'DEPTH',
} as const;

/** Who sent a message, as far as it says so. Anybody can write anything: the broker's access rights make it true. */
export interface Sender {
  readonly agentId?: string;
  readonly house?: string;
  readonly process?: string;
  readonly user?: string;
}

/** Names longer than this are not looked at. */
const senderChars = 128;

/** Properties for a message of ours; what is blank is left out. */
export const senderProperties = ({ agentId, house, process, user }: Sender): Record<string, string> => ({
  ...(agentId ? { [propertyNames.agent]: agentId } : {}),
  ...(house ? { [propertyNames.house]: house } : {}),
  ...(process ? { [propertyNames.process]: process } : {}),
  ...(user ? { [propertyNames.user]: user } : {}),
});

/** What a message says of its sender. */
export function senderOf(properties: Readonly<Record<string, string>>): Sender {
  const read = (name: string): string | undefined => {
    const value = properties[name]?.replace(/\p{C}+/gu, ' ').trim();
    return value && value.length <= senderChars ? value : undefined;
  };
  const agentId = read(propertyNames.agent);
  const house = read(propertyNames.house);
  const process = read(propertyNames.process);
  const user = read(propertyNames.user);
  return {
    ...(agentId ? { agentId } : {}),
    ...(house ? { house } : {}),
    ...(process ? { process } : {}),
    ...(user ? { user } : {}),
  };
}

/** 0 when it says nothing usable. */
export function depthOf(properties: Readonly<Record<string, string>>): number {
  const depth = Number(properties[propertyNames.depth] ?? 0);
  return Number.isInteger(depth) && depth > 0 ? Math.min(depth, 100) : 0;
}

/** True for a message of Folkmoot, whichever home sent it. */
export const isOfFolkmoot = (properties: Readonly<Record<string, string>>): boolean =>
  Boolean(properties[propertyNames.process] ?? properties[propertyNames.house] ?? properties[propertyNames.agent]);
