/** Asks whether an MQTT 5 broker answers at an address. */
import type { MqttClient } from 'mqtt';

const probeMs = 2_000;
/** Reason codes of MQTT 5 by which a broker says that it wants a user and password or does not let this one in. */
const wantsLogin = new Set([134, 135]);

/** True when a broker answers in MQTT 5, also when it wants a password. Takes at most two seconds; never throws. */
export async function answersMqtt5(url: string): Promise<boolean> {
  const { connect } = await import('mqtt');
  let client: MqttClient | undefined;
  try {
    return await new Promise<boolean>((resolve) => {
      const timer = setTimeout(() => resolve(false), probeMs);
      const end = (answer: boolean) => {
        clearTimeout(timer);
        resolve(answer);
      };
      client = connect(url, { protocolVersion: 5, reconnectPeriod: 0, connectTimeout: probeMs, clean: true });
      client.once('connect', () => end(true));
      client.once('close', () => end(false));
      // Further errors of a connection that is being given up have no meaning.
      client.on('error', (error) => end(wantsLogin.has(Number((error as { code?: unknown }).code))));
    });
  } catch {
    return false;
  } finally {
    client?.end(true);
  }
}
