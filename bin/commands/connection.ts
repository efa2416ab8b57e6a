/** Whether the broker is there, for commands that need it. */
import type { Bus } from '../../engine/bus/bus.ts';

/** What to do about a broker that could not be used, by the reason that was told. A sentence. */
export function brokerHint(reason: string): string {
  if (/does not accept user and password/.test(reason)) {
    return 'Put user and password into the address: mqtt://USER:PASSWORD@HOST:PORT, with --broker or in FOLKMOOT_MQTT_URL.';
  }
  if (/access (?:rights|rules)|not authorized/i.test(reason)) {
    return 'Take a user that may do more, such as that of the home, or let this one do it in the access list of the broker.';
  }
  if (/encrypted/.test(reason)) {
    return 'Begin the address with mqtts:// where the broker is encrypted, and with mqtt:// where it is not.';
  }
  if (/authority that is not known/.test(reason)) {
    return 'Name the file of the authority that signed the certificate in NODE_EXTRA_CA_CERTS, before the command.';
  }
  return 'Start the home with "npm start", or name a broker with --broker or in FOLKMOOT_MQTT_URL. A home in another folder is found when FOLKMOOT_HOME names it.';
}

/** Resolves with the first try to connect: nothing when the broker is there, else what to tell. */
export function firstState(bus: Bus, signal: AbortSignal): Promise<string | undefined> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve('Stopped.'), { once: true });
    bus.onState((state, reason) => {
      if (state === 'up') resolve(undefined);
      if (state !== 'down') return;
      resolve(`There is no connection to ${reason ?? 'the broker'}. ${brokerHint(reason ?? '')}`);
    });
  });
}
