import { Socket } from 'node:net';

/** What has arrived is read into it, for all connections of this thread in turn. */
const RECEIVED = Buffer.allocUnsafeSlow(64 * 1024);

/**
 * A connection to the server that reads into one buffer: a socket allocates 64 KB for each answer, and what it allocated is
 * garbage that the collector has to be called for. Listeners to `data` get a copy.
 */
export class PostgresSocket extends Socket {
  /** Takes what arrives instead of the listeners to `data`. The next bytes overwrite them. */
  tap: ((bytes: Buffer) => void) | null = null;

  constructor() {
    super({
      onread: {
        buffer: RECEIVED,
        callback: (count) => {
          const bytes = RECEIVED.subarray(0, count);
          if (this.tap) this.tap(bytes);
          else this.emit('data', Buffer.from(bytes));
          return true;
        },
      },
    });
  }
}
