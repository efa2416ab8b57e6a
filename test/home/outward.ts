/** Loaded into a process by `--import`: writes a line to the file `OUTWARD_LOG` for whatever it says to another computer. */
import dgram from 'node:dgram';
import dns from 'node:dns';
import { appendFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';

const isHere = (host: unknown): boolean => /^(localhost|127\.\d+\.\d+\.\d+|::1|::ffff:127\..*)$/.test(String(host));
const tell = (what: string, host: unknown): void => {
  const log = process.env['OUTWARD_LOG'];
  if (log && !isHere(host)) appendFileSync(log, `${what} ${String(host)}\n`);
};

type AnyFunction = (this: unknown, ...given: unknown[]) => unknown;
function before(owner: object, name: string, look: (given: readonly unknown[]) => void): void {
  const methods = owner as Record<string, AnyFunction>;
  const own = methods[name] as AnyFunction;
  methods[name] = function (...given) {
    look(given);
    return own.apply(this, given);
  };
}

/** `connect` takes an options object, or a port and a host, or the path of a local socket; Node wraps them once more. */
before(net.Socket.prototype, 'connect', ([first, second]) => {
  const inner: unknown = Array.isArray(first) ? first[0] : first;
  if (typeof inner === 'object' && inner !== null) {
    const { host, path } = inner as { host?: string; path?: string };
    if (path === undefined) tell('connects to', host ?? 'localhost');
  } else if (typeof inner === 'number') tell('connects to', typeof second === 'string' ? second : 'localhost');
});
for (const name of ['lookup', 'resolve', 'resolve4', 'resolve6']) before(dns, name, ([host]) => tell('looks up', host));
for (const name of ['lookup', 'resolve']) before(dns.promises, name, ([host]) => tell('looks up', host));
before(dgram.Socket.prototype, 'send', (given) =>
  tell(
    'sends to',
    given.findLast((one) => typeof one === 'string'),
  ),
);
syncBuiltinESMExports();
