import path from 'node:path';
import { Duplex } from 'node:stream';
import { MessageChannel, Worker, type MessagePort } from 'node:worker_threads';
import { connect } from './connect.ts';
import type { Db } from './db.ts';
import { lockDirectory } from './directory-lock.ts';
import { joinedBytes } from './joined-bytes.ts';

export interface EmbeddedOptions {
  dataDirectory: string;
  /** Called when the engine dies underneath us (a failed fsync makes it panic); the process must end. */
  onFatal(error: Error): void;
}

/**
 * PostgreSQL inside the process: PGlite in a worker thread (in the main thread a heavy query would stop HTTP for
 * as long as it runs), spoken to by the same driver over message ports.
 */
export async function openEmbedded(options: EmbeddedOptions): Promise<Db> {
  const lock = lockDirectory(options.dataDirectory);
  const worker = new Worker(new URL('./embedded-worker.ts', import.meta.url), {
    workerData: { directory: path.join(options.dataDirectory, 'store') },
  });
  let closing = false;
  try {
    await nextMessage(worker, 'ready');
  } catch (error) {
    lock.release();
    throw error;
  }
  worker.on('error', (error) => closing || options.onFatal(error as Error));
  worker.on('exit', () => closing || options.onFatal(new Error('the embedded engine stopped')));

  return connect({
    engine: 'embedded',
    connection: {
      user: 'postgres',
      database: 'postgres',
      stream: () => dial(worker),
    },
    pipelines: 1,
    transactions: 4,
    async release() {
      closing = true;
      const closed = nextMessage(worker, 'closed');
      worker.postMessage('close');
      await closed;
      await worker.terminate();
      lock.release();
    },
  });
}

function nextMessage(worker: Worker, expected: string): Promise<void> {
  return new Promise((resolve, reject) => {
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('the embedded engine stopped')));
    worker.on('message', (message) => message === expected && resolve());
  });
}

function dial(worker: Worker): Duplex {
  const { port1, port2 } = new MessageChannel();
  worker.postMessage({ connect: port2 }, [port2]);
  return new PortSocket(port1);
}

/** A message port that looks like the socket `pg` expects. */
class PortSocket extends Duplex {
  readonly #port: MessagePort;

  constructor(port: MessagePort) {
    super();
    this.#port = port;
    port.on('message', (bytes: Uint8Array) =>
      this.push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)),
    );
    port.on('close', () => this.push(null));
  }

  connect(): this {
    queueMicrotask(() => this.emit('connect'));
    return this;
  }

  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  ref(): this {
    this.#port.ref();
    return this;
  }

  unref(): this {
    this.#port.unref();
    return this;
  }

  override _read(): void {}

  override _write(bytes: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    this.#send([bytes]);
    done();
  }

  override _writev(chunks: { chunk: Buffer }[], done: (error?: Error | null) => void): void {
    this.#send(chunks.map(({ chunk }) => chunk));
    done();
  }

  #send(chunks: readonly Uint8Array[]): void {
    const bytes = joinedBytes(chunks);
    this.#port.postMessage(bytes, [bytes.buffer]);
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#port.postMessage(null);
    done();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#port.close();
    done(error);
  }
}
