import { sql } from '../storage/sql.ts';
import type { FhirDeps } from './open-record.ts';
import { stretches } from './stretches.ts';
import type { Telling, WholeRecord } from './whole-record.ts';

/**
 * Every line begins by ending the one before it. A body may be printed over several lines: line breaks stand between its
 * tokens only, since JSON escapes them in strings.
 */
export const NDJSON_TELLING: Telling = {
  form: {
    before: sql`E'\\n'`,
    body: sql`case when strpos(body, E'\\n') = 0 then body else replace(body, E'\\n', ' ') end`,
  },
  tell: (_reference, body) => Buffer.from(`\n${body.replaceAll('\n', ' ')}`),
};

/** All of a selection, a resource on each line. */
export async function* ndjson(deps: FhirDeps, whole: WholeRecord): AsyncGenerator<Buffer | string> {
  const { selection, replaced, person, record } = whole;
  if (person !== null) yield person;
  let begun = person !== null;
  const walk = { selection, form: NDJSON_TELLING.form, after: 0, most: Number.MAX_SAFE_INTEGER, replaced };
  for await (const bytes of stretches(deps, record.access, { ...walk, progress: { last: 0, rows: 0 } })) {
    yield begun ? bytes : bytes.subarray(1);
    begun = true;
  }
  if (begun) yield '\n';
}
