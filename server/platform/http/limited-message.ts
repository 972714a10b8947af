import { IncomingMessage } from 'node:http';

/**
 * A piece of a body costs as much as some thousand bytes of it: a megabyte in pieces of one byte took 470 MB and four seconds,
 * without a sign-in. Beyond so many they have to have so many bytes each.
 */
const FREE_PIECES = 10_000;
const MIN_PIECE_BYTES = 16;

/**
 * A request that drops its body once that comes in too many small pieces. A class for Node's server, since a method that each
 * request has of its own keeps the request until the whole heap is collected.
 */
export class LimitedMessage extends IncomingMessage {
  #pieces = 0;
  #bytes = 0;
  #isFlood = false;
  #onFlood: (() => void) | null = null;

  /** Calls `action` once when the body is such a flood, or at once where it has been one already. */
  onceFlooded(action: () => void): void {
    this.#onFlood = action;
    if (this.#isFlood) action();
  }

  override push(piece: Buffer | null, encoding?: BufferEncoding): boolean {
    if (this.#isFlood) return false;
    if (piece !== null) this.#bytes += piece.length;
    this.#isFlood = ++this.#pieces > FREE_PIECES && this.#bytes < this.#pieces * MIN_PIECE_BYTES;
    if (!this.#isFlood) return super.push(piece, encoding);
    this.#onFlood?.();
    return false;
  }
}
