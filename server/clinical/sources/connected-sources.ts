import { setTimeout as sleep } from 'node:timers/promises';
import type { PatientId, ProjectId } from '../../../contract/brands.ts';
import { maybeOne, type Db } from '../../platform/db/db.ts';
import { MAX_AWAITED_FAILURES } from './limits.ts';
import { selectActiveSources } from './sources.sql.ts';
import { selectSync, type SyncKey } from './syncs.sql.ts';

/** A source that the authorization server waits for. */
interface ConnectedSource {
  name: string;
  fetch(signal: AbortSignal): Promise<'later' | void>;
}

const POLL_INTERVAL_MS = 300;

/**
 * Finds the sources that a consent to a project permits to fetch from; the consent itself requests the syncs, this
 * waits for them.
 */
export const findConnectedSources =
  (db: Db) =>
  async (patientId: PatientId, projectId: ProjectId): Promise<ConnectedSource[]> =>
    (await db.query(selectActiveSources(patientId, projectId))).map(({ name, source_id: sourceId }) => ({
      name,
      fetch: (signal) => waitForSync(db, { patientId, sourceId }, signal),
    }));

/**
 * Waits until the source has been read; throws when it could not be. Returns `later` for a source that does not answer, whose
 * sync goes on by itself. Does not wait for a source that was connected since.
 */
async function waitForSync(db: Db, key: SyncKey, signal: AbortSignal): Promise<'later' | undefined> {
  for (;;) {
    const sync = await maybeOne(db, selectSync(key));
    if (sync === null || sync.state === 'up_to_date') return undefined;
    if (sync.state === 'waiting' && sync.failures >= MAX_AWAITED_FAILURES) return 'later';
    if (sync.state !== 'waiting' && sync.state !== 'running') throw new Error(`source: ${sync.state}`);
    await sleep(POLL_INTERVAL_MS, undefined, { signal });
  }
}
