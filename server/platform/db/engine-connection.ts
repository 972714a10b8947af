import { once } from 'node:events';
import { Duplex } from 'node:stream';
import { MessageChannel, type MessagePort, type Worker } from 'node:worker_threads';
import type { ThreadHandle } from './db.ts';
import { concatBytes } from './concat-bytes.ts';
import type { StoreCapacity } from './store-capacity.ts';

/** Where connections to the embedded engine are opened: its worker, or the line to it that another thread has. */
export type EngineEndpoint = Worker | MessagePort;

export type EngineMessage =
  | { connect: MessagePort }
  | { line: MessagePort }
  /** Answered on the port, once the folder is complete and on disk: null, or what went wrong. */
  | { snapshot: string; answer: MessagePort };

export const CREDENTIALS = { user: 'postgres', database: 'postgres' };

/** Opens a connection to the embedded engine, as the socket that `pg` expects. */
export function openSocket(endpoint: EngineEndpoint): Duplex {
  const { port1, port2 } = new MessageChannel();
  send(endpoint, { connect: port2 }, port2);
  return new PortSocket(port1);
}

/** Opens a line for another thread, which then opens connections itself, also in place of one that it loses. */
export function openLine(endpoint: EngineEndpoint, capacity: StoreCapacity): ThreadHandle {
  const { port1, port2 } = new MessageChannel();
  send(endpoint, { line: port2 }, port2);
  return { access: { line: port1, capacity: capacity.shared }, transfer: [port1] };
}

/** Has the engine copy its files between two transactions. */
export async function requestSnapshot(endpoint: EngineEndpoint, folder: string): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  send(endpoint, { snapshot: folder, answer: port2 }, port2);
  const [problem] = (await once(port1, 'message')) as [string | null];
  port1.close();
  if (problem !== null) throw new Error(problem);
}

const send = (endpoint: EngineEndpoint, message: EngineMessage, port: MessagePort): void =>
  endpoint.postMessage(message, [port]);

/** A message port behind the interface of the socket that `pg` expects. */
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
    const bytes = concatBytes(chunks);
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
