import type { FhirDeps } from './authorize-record.ts';
import { readChunks, skipBytes, type EntryChunk, type ResourceSerializer } from './read-chunks.ts';
import type { RecordSnapshot } from './record-snapshot.ts';

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;

/** A character that JSON never contains: not between its tokens, and only escaped in its strings. */
const SEPARATOR = 0x1e;

/**
 * Each line begins with the end of the one before it. A body may span several lines; its line breaks stand between tokens
 * only, so they become spaces here: replaced in the database, each body was decompressed twice.
 */
export const NDJSON_SERIALIZER: ResourceSerializer = {
  prefix: String.fromCharCode(SEPARATOR),
  encodeChunk(bytes) {
    replaceByte(bytes, LINE_FEED, SPACE);
    // Many readers treat it as the end of a line too.
    replaceByte(bytes, CARRIAGE_RETURN, SPACE);
    replaceByte(bytes, SEPARATOR, LINE_FEED);
    return bytes;
  },
  encode: (_reference, body) => Buffer.from(`\n${body.replace(/[\r\n]/g, ' ')}`),
  // A line has no address: references are to other lines.
  recordBase: '',
};

function replaceByte(bytes: Buffer, from: number, to: number): void {
  for (let at = bytes.indexOf(from); at !== -1; at = bytes.indexOf(from, at + 1)) bytes[at] = to;
}

/** Serializes all of a selection, a resource on each line. */
export async function* serializeNdjson(deps: FhirDeps, snapshot: RecordSnapshot): AsyncGenerator<EntryChunk> {
  const { selection, overrides, person, record, assumptions } = snapshot;
  if (person !== null) yield { parts: [person], rows: 1 };
  let hasLines = person !== null;
  const limits = { after: 0, limit: Number.MAX_SAFE_INTEGER, cursor: { last: 0, rows: 0 } };
  const options = {
    selection,
    serializer: NDJSON_SERIALIZER,
    contact: record.contact,
    assumptions,
    overrides,
    ...limits,
  };
  for await (const chunk of readChunks(deps, record.access, options)) {
    yield hasLines ? chunk : skipBytes(chunk, 1);
    hasLines = true;
  }
  if (hasLines) yield { parts: ['\n'], rows: 0 };
}
