import { close, openSync, read } from 'node:fs';
import { Readable } from 'node:stream';
import { RandomAccessReader } from 'yauzl';

const BLOCK_BYTES = 256 * 1024;
const STREAM_BYTES = 64 * 1024;

/**
 * Reads a file for yauzl and caches the last block. yauzl reads twice for every entry of a directory and once for every
 * local header, a few dozen bytes each; an archive of 20,000 files lists in 0.1 s instead of 2.3 s. A class, because yauzl
 * requires one.
 */
export class CachedFileReader extends RandomAccessReader {
  readonly #fd: number;
  #block = Buffer.alloc(0);
  #start = 0;
  #offset = 0;

  constructor(file: string) {
    super();
    this.#fd = openSync(file, 'r');
  }

  /** Makes all positions count from here. */
  skip(bytes: number): void {
    this.#offset = bytes;
    this.#block = Buffer.alloc(0);
  }

  // oxlint-disable-next-line max-params -- yauzl's signature
  override read(into: Buffer, offset: number, length: number, at: number, done: ReadCallback): void {
    const position = at + this.#offset;
    const from = position - this.#start;
    if (from >= 0 && from + length <= this.#block.length) {
      this.#block.copy(into, offset, from, from + length);
      done(null, length);
    } else if (length > BLOCK_BYTES) read(this.#fd, into, offset, length, position, done);
    else {
      const block = Buffer.allocUnsafe(BLOCK_BYTES);
      read(this.#fd, block, 0, BLOCK_BYTES, position, (error, bytes) => {
        if (error) return done(error, 0);
        this.#block = block.subarray(0, bytes);
        this.#start = position;
        return done(null, block.copy(into, offset, 0, Math.min(length, bytes)));
      });
    }
  }

  /** Returns exactly these bytes; fewer when the file ends. */
  readBytes(position: number, length: number): Promise<Buffer> {
    const into = Buffer.allocUnsafe(length);
    return new Promise((resolve, reject) => {
      this.read(into, 0, length, position, (error, bytes) => {
        if (error) reject(error);
        else resolve(into.subarray(0, bytes));
      });
    });
  }

  /** Not fs.createReadStream: destroying that closes the descriptor, whatever `autoClose` says. */
  override _readStreamForRange(start: number, end: number): Readable {
    const readChunk = (at: number): Promise<Buffer> => this.readBytes(at, Math.min(STREAM_BYTES, end - at));
    let at = start;
    return new Readable({
      read() {
        readChunk(at).then(
          (chunk) => {
            at += chunk.length;
            this.push(chunk.length === 0 ? null : chunk);
          },
          (error: Error) => this.destroy(error),
        );
      },
    });
  }

  override close(done: (error: Error | null) => void): void {
    close(this.#fd, (error) => done(error ?? null));
  }
}

type ReadCallback = (error: Error | null, bytes: number) => void;
