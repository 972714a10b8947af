import { maybeOne, type Db } from '../../platform/db/db.ts';
import { selectSource, type SourceRow } from './sources.sql.ts';

const CHECK_MS = 2000;

/** The source was paused or deleted, or matches otherwise since. */
export class SourceClosed extends Error {
  override name = 'SourceClosed';
}

/**
 * Runs work at a source for as long as the source is active: a request may wait a minute for it, and keep a place in the pool from
 * others, for what would not be stored. Throws SourceClosed.
 */
export async function whileActive<T>(
  db: Db,
  { source, signal }: { source: SourceRow; signal: AbortSignal },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const closing = new AbortController();
  const check = async (): Promise<void> => {
    const reach = { organizationId: source.organization_id, projectIds: null };
    const now = await maybeOne(db, selectSource(reach, source.source_id));
    const isSame = now?.status === 'active' && now.matching_revision === source.matching_revision;
    if (!isSame) closing.abort(new SourceClosed('the source was closed'));
  };
  // A store that cannot be reached ends the sync by itself.
  const timer = setInterval(() => void check().catch(() => {}), CHECK_MS);
  try {
    return await work(AbortSignal.any([signal, closing.signal]));
  } catch (error) {
    if (closing.signal.aborted && !signal.aborted) throw closing.signal.reason;
    throw error;
  } finally {
    clearInterval(timer);
  }
}
