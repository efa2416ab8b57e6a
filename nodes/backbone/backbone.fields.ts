import { choice, commonFields, flag, number, text } from '../shared/fields.ts';

export const backboneFields = {
  ...commonFields,
  bus: choice(['in-process', 'mqtt', 'valkey-streams', 'valkey-pubsub'], 'in-process'),
  busUrl: text(),
  store: choice(['embedded', 'valkey'], 'embedded'),
  storeUrl: text(),
  /** Blank: `<userDir>/folkmoot`. */
  storePath: text(),
  /** Blank: the host's name. */
  house: text(),
  /** How long a conversation is kept after its last message. */
  conversationDays: number(30, { minimum: 1, maximum: 3650 }),
  /** Files in PEM form, for `mqtts` and `rediss`. Blank: the authorities that this computer trusts. */
  caFile: text(),
  certFile: text(),
  keyFile: text(),
  /** The server's certificate has to be right for its name. */
  verifyServer: flag(true),
  /** Programs of others that answer people on this broker too; `auto`: when one was heard in the last days. */
  foreignResponders: choice(['auto', 'yes', 'no'], 'auto'),
  /** Names of agents and people, one a line. Blank: everybody whom the broker lets in. */
  allowedSenders: text(),
  /** What waits for a connection at most, and for how long. */
  outboxMessages: number(1000, { minimum: 1, maximum: 100_000 }),
  outboxHours: number(24, { minimum: 1, maximum: 720 }),
} as const;
