/** The embedded MQTT 5 broker of the starter home. It listens on this computer only and keeps nothing on disk. */
import { createServer, type Socket } from 'node:net';
import { Aedes } from 'aedes';
import { listen, type PortChoice } from './ports.ts';

export interface Broker {
  readonly port: number;
  readonly url: string;
  close(): Promise<void>;
}

const host = '127.0.0.1';
/** Java peers of A.M.I.C.A. use ids longer than the 23 bytes that a broker has to take. */
const idBytes = 200;
/** Larger packets end the connection: the house has no use for them, and they would fill the memory. */
const packetBytes = 8 * 1024 * 1024;

/** Starts it. @throws FOLKMOOT_PORT_TAKEN, FOLKMOOT_START_REFUSED. */
export async function startBroker(choice: PortChoice): Promise<Broker> {
  const aedes = await Aedes.createBroker({ maxClientsIdLength: idBytes, maximumPacketSize: packetBytes });
  // A client that breaks the protocol loses its connection; that is no event for the home.
  aedes.on('clientError', () => undefined);
  aedes.on('connectionError', () => undefined);
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    socket.setNoDelay(true);
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    aedes.handle(socket);
  });
  const port = await listen(server, choice, host, 'the embedded broker');
  return {
    port,
    url: `mqtt://${host}:${port}`,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      await new Promise<void>((resolve) => aedes.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
