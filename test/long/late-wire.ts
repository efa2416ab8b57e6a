/**
 * A wire to a broker on which acknowledgements come at once and messages late. What the broker had acknowledged and not
 * yet passed on when it is killed is lost then, as it is with a busy broker.
 */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface LateWire {
  readonly url: string;
  close(): Promise<void>;
}

/** Type of a packet with a message in it. */
const publishType = 3;

/** @param lateMs How much later messages to the client come; their order stays. */
export async function lateWire(brokerPort: number, lateMs: number): Promise<LateWire> {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const broker = connect(brokerPort, '127.0.0.1');
    const both = [client, broker];
    // What is under way when one end is gone never comes.
    const cut = () => both.forEach((socket) => (socket.destroy(), sockets.delete(socket)));
    for (const socket of both) {
      sockets.add(socket.setNoDelay(true));
      socket.on('error', cut).on('close', cut);
    }
    client.on('data', (data) => broker.write(data));
    broker.on(
      'data',
      packets((packet) => {
        const pass = () => void (client.destroyed || client.write(packet));
        if ((packet[0] ?? 0) >> 4 === publishType) setTimeout(pass, lateMs);
        else pass();
      }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `mqtt://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Cuts what comes into MQTT's packets: a byte of type, the length in up to four bytes of seven bits, the rest. */
function packets(each: (packet: Buffer) => void): (data: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  return (data) => {
    rest = Buffer.concat([rest, data]);
    for (let end = packetEnd(rest); end !== undefined && end <= rest.length; end = packetEnd(rest)) {
      each(rest.subarray(0, end));
      rest = rest.subarray(end);
    }
  };
}

/** Where the first packet ends; nothing when its length is not there yet. */
function packetEnd(data: Buffer): number | undefined {
  let length = 0;
  for (let at = 1; at < Math.min(data.length, 5); at += 1) {
    const byte = data[at] ?? 0;
    length += (byte & 127) * 128 ** (at - 1);
    if (byte < 128) return at + 1 + length;
  }
  return undefined;
}
