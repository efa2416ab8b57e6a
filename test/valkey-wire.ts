/** A wire between a client and a server that a spec may cut, at once or before the next answer comes through. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface TestWire {
  readonly port: number;
  /** When each connection was made, ms. */
  readonly connects: readonly number[];
  /** Resolves when so many were made. */
  connected(count: number): Promise<void>;
  /** Breaks all connections; with `refuse`, new ones too until `mend`. */
  cut(refuse?: boolean): void;
  mend(): void;
  /** What the server says next is lost, and the connection with it. Resolves when that has happened. */
  loseNextAnswer(): Promise<void>;
  /** Nothing comes through any more, but nothing breaks. Gives what ends it. */
  stall(): () => void;
  stop(): Promise<void>;
}

export async function startWire(serverPort: number): Promise<TestWire> {
  const pairs = new Set<readonly [Socket, Socket]>();
  const connects: number[] = [];
  let isRefusing = false;
  let isStalled = false;
  let onConnect: (() => void) | undefined;
  let onAnswer: (() => void) | undefined;
  const cut = () => {
    for (const pair of pairs) for (const socket of pair) socket.destroy();
    pairs.clear();
  };
  const server = createServer((near) => {
    connects.push(performance.now());
    onConnect?.();
    if (isRefusing) return near.destroy();
    const far = connect(serverPort, '127.0.0.1');
    pairs.add([near, far]);
    near.on('data', (data) => void far.write(data));
    far.on('data', (data) => {
      if (isStalled) return;
      if (!onAnswer) return void near.write(data);
      cut();
      onAnswer();
      onAnswer = undefined;
    });
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const)
      one.on('error', () => undefined).on('close', () => other.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    connects,
    connected: (count) =>
      new Promise((resolve) => {
        onConnect = () => {
          if (connects.length >= count) resolve();
        };
        onConnect();
      }),
    cut(refuse = false) {
      isRefusing = refuse;
      cut();
    },
    mend: () => void (isRefusing = false),
    loseNextAnswer: () => new Promise((resolve) => void (onAnswer = resolve)),
    stall() {
      isStalled = true;
      return () => void (isStalled = false);
    },
    async stop() {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
