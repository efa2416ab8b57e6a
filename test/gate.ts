/** A door in front of a server, to cut connections that the server does not know to be cut. */
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

export interface Gate {
  readonly port: number;
  cut(): void;
  /** Again, on the same port. */
  open(): Promise<void>;
  close(): Promise<void>;
}

/** A door in front of a broker that can be cut and opened again. */
export async function openGate(target: number): Promise<Gate> {
  const sockets = new Set<Socket>();
  const serve = () =>
    createServer((socket) => {
      const inner = connect({ host: '127.0.0.1', port: target });
      for (const end of [socket, inner]) {
        sockets.add(end.on('error', () => undefined).on('close', () => sockets.delete(end)));
        end.setNoDelay(true);
      }
      socket.pipe(inner).pipe(socket);
      socket.on('close', () => inner.destroy());
      inner.on('close', () => socket.destroy());
    });
  let server = serve();
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const cut = () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  return {
    port,
    cut,
    async open() {
      server = serve();
      await listen(port);
    },
    close: async () => cut(),
  };
}
