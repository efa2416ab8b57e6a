/** Whether the server is there, for commands that need it, and what to do when it is not. */
import type { Bus } from '../../engine/bus/bus.ts';

/** What to do about a server that could not be used, by the reason that was told. A sentence. */
export function brokerHint(reason: string): string {
  return hints.find(([words]) => words.test(reason))?.[1] ?? usualHint;
}

const usualHint =
  'Start the home with "npm start", or name a broker with --broker or in FOLKMOOT_MQTT_URL. A home in another folder is found when FOLKMOOT_HOME names it.';

const hints: readonly (readonly [RegExp, string])[] = [
  [
    /NOPERM/,
    'Give this user of Valkey more rights: "+@pubsub &*" for messages over channels; for agents and watch, and for streams, "+@read +@write ~folkmoot:*" as well.',
  ],
  [
    /Valkey server does not accept user and password/,
    'Put user and password into the address: redis://USER:PASSWORD@HOST:PORT, or into FOLKMOOT_BUS_USER and FOLKMOOT_BUS_PASSWORD.',
  ],
  [
    /does not accept user and password/,
    'Put user and password into the address: mqtt://USER:PASSWORD@HOST:PORT, with --broker or in FOLKMOOT_MQTT_URL; or into FOLKMOOT_BUS_USER and FOLKMOOT_BUS_PASSWORD.',
  ],
  [
    /access (?:rights|rules)|not authorized|does not let/i,
    'Take a user that may do more, such as that of the home, or let this one do it in the access list of the broker: "folkmoot acl" writes one from a flow.',
  ],
  [
    /authority that is not known|is not of the authority/,
    'Name the file of the authority that signed the certificate with --ca or in FOLKMOOT_CA_FILE.',
  ],
  [
    /wants a certificate of ours/,
    'Name certificate and key with --cert and --key, or in FOLKMOOT_CERT_FILE and FOLKMOOT_KEY_FILE.',
  ],
  [
    /encrypted/,
    'Begin the address with mqtts:// (rediss:// for Valkey) where the server is encrypted, and with mqtt:// (redis://) where it is not.',
  ],
  [/certificate/, 'Where it is a trial only, --insecure takes any certificate.'],
  [/no Valkey server listens/, 'Start the server, or correct the address.'],
];

/** Reasons come with a full stop or without one. */
export const asSentence = (text: string): string => text.replace(/\.?$/, '.');

/** Connected, and not let do what is needed: a Valkey server says so only then. */
export const unusable = ({ message }: Error): string =>
  `The connection can not be used: ${asSentence(message)} ${brokerHint(message)}`;

/** Resolves with the first try to connect: nothing when the server is there, else what to tell. */
export async function firstState(bus: Bus, signal: AbortSignal): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const stops = [
    bus.onState((state, reason = 'the broker') => {
      if (state === 'up') resolve(undefined);
      if (state === 'down') resolve(`There is no connection to ${asSentence(reason)} ${brokerHint(reason)}`);
    }),
    bus.onProblem((problem) => {
      if (bus.state !== 'up') resolve(unusable(problem));
    }),
  ];
  signal.addEventListener('abort', () => resolve('Stopped.'), { once: true });
  return promise.finally(() => stops.forEach((stop) => stop()));
}
