import type { Chunk } from '../../platform/http/chunk-stream.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import { auditRead, type AuthorizedRecord, type FhirDeps } from './authorize-record.ts';
import type { EntryChunk } from './read-chunks.ts';

/** Why an answer gave less than its entry of the log says, in the words of that entry. */
type EarlyEnd = 'access_revoked' | 'record_changed' | 'reader_left' | 'consent_narrowed' | 'failed';

interface Log {
  info(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

interface BegunRead {
  record: AuthorizedRecord;
  /** The entry of the log that says what is going to be sent; resolves with its id. */
  audited: Promise<string>;
  /** How many entries that is; null: it is an upper bound. */
  entries: number | null;
  log: Log;
}

/**
 * Passes the chunks of an answer on, and writes a second entry of the log when they give less than the first one says, which
 * has to be durable before anything is sent. What was handed to a connection that then broke may not have arrived, so that
 * its number is the most that can have.
 */
export async function* auditEnd(
  deps: FhirDeps,
  chunks: AsyncIterable<EntryChunk>,
  read: BegunRead,
): AsyncGenerator<Chunk> {
  let sent = 0;
  // The generator of a reader who leaves is ended where it waits.
  let end: EarlyEnd | null = 'reader_left';
  try {
    for await (const chunk of chunks) {
      sent += chunk.rows;
      yield chunk;
    }
    end = read.entries !== null && sent < read.entries ? 'consent_narrowed' : null;
  } catch (error) {
    end = explain(error);
    if (end === 'failed') read.log.error({ err: error }, 'an answer was broken off');
    else read.log.info({ code: end }, 'an answer was broken off');
    throw error;
  } finally {
    if (end !== null) await writeEnd(deps, { read, reason: end, sent });
  }
}

const REASONS: ReadonlyMap<string, EarlyEnd> = new Map([
  ['no_consent', 'access_revoked'],
  ['traversal_expired', 'record_changed'],
]);

const explain = (error: unknown): EarlyEnd =>
  (error instanceof Refusal ? REASONS.get(error.code) : undefined) ?? 'failed';

/** Writes the second entry; where that fails the answer ends as it would have. */
async function writeEnd(
  deps: FhirDeps,
  { read, reason, sent }: { read: BegunRead; reason: EarlyEnd; sent: number },
): Promise<void> {
  try {
    const detail = { of: await read.audited, entries: sent, reason };
    const outcome = reason === 'consent_narrowed' ? 'success' : 'failed';
    await auditRead(deps, read.record, { action: 'fhir.everything_ended', outcome, detail });
  } catch (error) {
    read.log.error({ err: error }, 'the early end of an answer could not be audited');
  }
}
