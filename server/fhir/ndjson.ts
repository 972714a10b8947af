import { leadOf } from './lead.sql.ts';
import type { FhirDeps } from './open-record.ts';
import { stretches } from './stretches.ts';
import type { Telling } from './telling.ts';
import type { WholeRecord } from './whole-record.ts';

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;

/** A character that JSON has nowhere: not between its tokens, and only escaped in its strings. */
const SEPARATOR = 0x1e;

/**
 * Every line begins by ending the one before it. A body may be printed over several lines; line breaks stand between its
 * tokens only, so they become spaces here: looked for in the database, each body was unpacked twice.
 */
export const NDJSON_TELLING: Telling = {
  lead: leadOf(String.fromCharCode(SEPARATOR)),
  finish(bytes) {
    exchange(bytes, LINE_FEED, SPACE);
    // Many readers take it as the end of a line too.
    exchange(bytes, CARRIAGE_RETURN, SPACE);
    exchange(bytes, SEPARATOR, LINE_FEED);
    return bytes;
  },
  tell: (_reference, body) => Buffer.from(`\n${body.replace(/[\r\n]/g, ' ')}`),
};

function exchange(bytes: Buffer, from: number, to: number): void {
  for (let at = bytes.indexOf(from); at !== -1; at = bytes.indexOf(from, at + 1)) bytes[at] = to;
}

/** All of a selection, a resource on each line. */
export async function* ndjson(deps: FhirDeps, whole: WholeRecord): AsyncGenerator<Buffer | string> {
  const { selection, replaced, person, record, hope } = whole;
  if (person !== null) yield person;
  let begun = person !== null;
  const limits = { after: 0, most: Number.MAX_SAFE_INTEGER, progress: { last: 0, rows: 0 } };
  const walk = { selection, telling: NDJSON_TELLING, contact: record.contact, hope, replaced, ...limits };
  for await (const bytes of stretches(deps, record.access, walk)) {
    yield begun ? bytes : bytes.subarray(1);
    begun = true;
  }
  if (begun) yield '\n';
}
