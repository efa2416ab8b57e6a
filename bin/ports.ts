/** Ports: a default that is taken gives way to the next free one; one that a person chose doesn't. */
import type { AddressInfo, Server } from 'node:net';
import { folkmootError } from '../engine/errors.ts';

export interface PortChoice {
  /** The environment variable that sets it. */
  readonly variable: string;
  readonly port: number;
  /** True when a person chose it. */
  readonly isSet: boolean;
}

/** How many ports after a default are tried. */
const portsTried = 50;

function listenOnce(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const onError = (error: Error) => reject(error);
    server.once('error', onError);
    server.listen(port, host, () => {
      server.off('error', onError);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

function refusal(error: unknown, choice: PortChoice, host: string, what: string): Error {
  const { code } = error as NodeJS.ErrnoException;
  const { port, variable } = choice;
  const where = choice.isSet ? `${variable}=${port}` : `port ${port}`;
  if (code === 'EADDRINUSE') {
    const text = choice.isSet
      ? `${variable} asks for port ${port} for ${what}, but another program uses it.`
      : `Ports ${port} to ${port + portsTried - 1}, one of which ${what} needs, are all used by other programs.`;
    return folkmootError('FOLKMOOT_PORT_TAKEN', text, error);
  }
  if (code === 'EACCES') {
    const text = `${where}: the system lets only administrators use this port for ${what}.`;
    return folkmootError('FOLKMOOT_START_REFUSED', text, error);
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    const text = `FOLKMOOT_HOST=${host} is not an address of this computer.`;
    return folkmootError('FOLKMOOT_START_REFUSED', text, error);
  }
  return folkmootError(
    'FOLKMOOT_START_REFUSED',
    `${what} cannot listen on ${host}:${port} (${code ?? 'unknown'}).`,
    error,
  );
}

/**
 * Lets a server listen.
 * @param what What it is, for people: `the editor`.
 * @returns the port it got. @throws FOLKMOOT_PORT_TAKEN, FOLKMOOT_START_REFUSED in plain words.
 */
export async function listen(server: Server, choice: PortChoice, host: string, what: string): Promise<number> {
  const tries = choice.isSet ? 1 : portsTried;
  for (let offset = 0; ; offset++) {
    try {
      return await listenOnce(server, choice.port + offset, host);
    } catch (error) {
      const isTaken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
      if (!isTaken || offset + 1 >= tries) throw refusal(error, choice, host, what);
    }
  }
}
