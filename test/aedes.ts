/** Starts the embedded broker (aedes) on a free loopback port in this process. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Server, Socket } from 'node:net';
import { Aedes } from 'aedes';
import type { TestBroker } from './broker.ts';
import { freePort } from './free-port.ts';

interface Running {
  readonly server: Server;
  readonly sockets: Set<Socket>;
  readonly broker: Aedes;
}

/** A broker for one suite; `stop` in `after`. */
export async function startAedes(options: { readonly port?: number } = {}): Promise<TestBroker> {
  const port = options.port ?? (await freePort());
  let running: Running | undefined = await launch(port);
  const kill = async () => {
    if (!running) return;
    const { server, sockets, broker } = running;
    running = undefined;
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
    await new Promise<void>((resolve) => broker.close(() => resolve()));
  };
  return {
    name: 'aedes',
    port,
    url: `mqtt://127.0.0.1:${port}`,
    clients: () => running?.broker.connectedClients ?? 0,
    kill,
    async restart() {
      running = await launch(port);
    },
    stop: kill,
  };
}

async function launch(port: number): Promise<Running> {
  const broker = await Aedes.createBroker({ maximumPacketSize: 16 * 1024 * 1024 });
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    broker.handle(socket);
  });
  broker.on('clientError', () => undefined);
  broker.on('connectionError', () => undefined);
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return { server, sockets, broker };
}
