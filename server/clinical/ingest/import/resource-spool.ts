import { open, rm, type FileHandle } from 'node:fs/promises';
import type { ResourceFacts } from './read-facts.ts';

/** A resource that was read: its text as it came, and what is stored besides. */
export interface SpooledResource {
  text: string;
  facts: ResourceFacts;
}

/**
 * The resources of an upload in a temporary file, in the order they came. References point forwards, so an upload is written
 * when all of it was read: from here it need not be inflated, cut, checked and parsed again.
 */
export interface ResourceSpool extends AsyncDisposable {
  append(resource: SpooledResource): Promise<void>;
  /** Yields all that was appended. */
  read(): AsyncGenerator<SpooledResource>;
}

/** Bytes that are written or read at once; a resource may have more. */
const BLOCK_BYTES = 1024 * 1024;

/** Before each resource: how many bytes its facts and its text have. */
const HEADER_BYTES = 8;

/** Creates the spool in a file that does not exist yet, and is removed with it. */
export async function createResourceSpool(path: string): Promise<ResourceSpool> {
  const file = await open(path, 'wx+', 0o600);
  return openSpool(file, async () => {
    await file.close();
    await rm(path);
  });
}

function openSpool(file: FileHandle, dispose: () => Promise<void>): ResourceSpool {
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  const flush = async (): Promise<void> => {
    if (pending.length > 0) await file.appendFile(Buffer.concat(pending));
    pending = [];
    pendingBytes = 0;
  };
  return {
    async append({ text, facts }) {
      const frame = buildFrame(Buffer.from(JSON.stringify(facts)), Buffer.from(text));
      pending.push(...frame);
      pendingBytes += frame.reduce((sum, { length }) => sum + length, 0);
      if (pendingBytes >= BLOCK_BYTES) await flush();
    },
    async *read() {
      await flush();
      yield* readFrames(file);
    },
    [Symbol.asyncDispose]: dispose,
  };
}

function buildFrame(facts: Buffer, text: Buffer): Buffer[] {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt32BE(facts.length, 0);
  header.writeUInt32BE(text.length, 4);
  return [header, facts, text];
}

async function* readFrames(file: FileHandle): AsyncGenerator<SpooledResource> {
  let rest: Buffer = Buffer.alloc(0);
  for (let position = 0; ;) {
    const wanted = Math.max(BLOCK_BYTES, countMissing(rest));
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(wanted), 0, wanted, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    const bytes =
      rest.length === 0
        ? buffer.subarray(0, bytesRead)
        : Buffer.concat([rest, buffer.subarray(0, bytesRead)]);
    let at = 0;
    for (let missing = countMissing(bytes); missing === 0; missing = countMissing(bytes.subarray(at))) {
      const textAt = at + HEADER_BYTES + bytes.readUInt32BE(at);
      const end = textAt + bytes.readUInt32BE(at + 4);
      const facts = JSON.parse(bytes.toString('utf8', at + HEADER_BYTES, textAt)) as ResourceFacts;
      yield { facts, text: bytes.toString('utf8', textAt, end) };
      at = end;
    }
    rest = bytes.subarray(at);
  }
}

/** How many bytes the first resource lacks. */
function countMissing(bytes: Buffer): number {
  if (bytes.length < HEADER_BYTES) return HEADER_BYTES - bytes.length;
  return Math.max(0, HEADER_BYTES + bytes.readUInt32BE(0) + bytes.readUInt32BE(4) - bytes.length);
}
