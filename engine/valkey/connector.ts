/**
 * How ioredis makes its connection, but for errors: it hears only the first one of a socket, and a second one, as of a
 * server whose certificate was refused and that complains of it, would end the process.
 */
import { connect as connectPlain, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { AbstractConnector, RedisOptions } from 'ioredis';

type Options = Pick<RedisOptions, 'host' | 'port' | 'tls' | 'disconnectTimeout'>;

/** For its option `Connector`. @param Base Of ioredis, which is loaded when it is used. */
export const connectorOf = (Base: typeof AbstractConnector): NonNullable<RedisOptions['Connector']> =>
  class Connector extends Base {
    readonly options: Options;
    constructor(options: unknown) {
      const given = options as Options;
      super(given.disconnectTimeout ?? 0);
      this.options = given;
    }
    override connect(): Promise<Socket> {
      const { host = '', port = 0, tls } = this.options;
      this.connecting = true;
      delete this.firstError;
      return new Promise((resolve, reject) => {
        process.nextTick(() => {
          if (!this.connecting) return reject(new Error('Connection is closed.'));
          const socket = tls ? connectTls({ host, port, ...tls }) : connectPlain({ host, port });
          socket.on('error', (error) => (this.firstError ??= error));
          this.stream = socket;
          resolve(socket);
        });
      });
    }
  };
