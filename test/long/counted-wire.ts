/** A wire to a server that notes who tries to connect through it, and when; also while the server is away. */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface CountedWire {
  readonly port: number;
  /** Times in milliseconds, by what the client calls itself. */
  readonly tries: ReadonlyMap<string, readonly number[]>;
  close(): Promise<void>;
}

/** @param nameOf Reads the name from what a client says first; nothing: it isn't counted. */
export async function countedWire(
  serverPort: number,
  nameOf: (first: string) => string | undefined,
): Promise<CountedWire> {
  const sockets = new Set<Socket>();
  const tries = new Map<string, number[]>();
  const server = createServer((client) => {
    const at = performance.now();
    sockets.add(client.setNoDelay(true));
    client.on('error', () => undefined).on('close', () => sockets.delete(client));
    client.once('data', (first: Buffer) => {
      const name = nameOf(first.toString('latin1'));
      if (name !== undefined) tries.set(name, [...(tries.get(name) ?? []), at]);
      const behind = connect(serverPort, '127.0.0.1').setNoDelay(true);
      sockets.add(behind);
      behind
        .on('error', () => undefined)
        .on('close', () => {
          sockets.delete(behind);
          client.destroy();
        });
      client.on('close', () => behind.destroy());
      behind.write(first);
      client.pipe(behind);
      behind.pipe(client);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    tries,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
