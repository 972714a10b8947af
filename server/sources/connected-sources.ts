import { setTimeout as sleep } from 'node:timers/promises';
import type { PatientId, ProjectId } from '../../contract/ids.ts';
import { maybeOne, type Db } from '../storage/db.ts';
import { activeSources } from './sources.sql.ts';
import { syncOf, type SyncKey } from './syncs.sql.ts';

/** As the authorization server waits for it. */
interface ConnectedSource {
  name: string;
  fetch(signal: AbortSignal): Promise<void>;
}

const LOOK_AGAIN_MS = 300;

/** What a consent to a project lets be fetched; the consent itself sets it off, here it is waited for. */
export const connectedSources =
  (db: Db) =>
  async (patientId: PatientId, projectId: ProjectId): Promise<ConnectedSource[]> =>
    (await db.query(activeSources(projectId))).map(({ name, source_id: sourceId }) => ({
      name,
      fetch: (signal) => waitFor(db, { patientId, sourceId }, signal),
    }));

/** Until the source has been read; throws when it could not be. One that was connected since is not waited for. */
async function waitFor(db: Db, key: SyncKey, signal: AbortSignal): Promise<void> {
  for (;;) {
    const sync = await maybeOne(db, syncOf(key));
    if (sync === null || sync.state === 'up_to_date') return;
    if (sync.state !== 'waiting' && sync.state !== 'running') throw new Error(`source: ${sync.state}`);
    await sleep(LOOK_AGAIN_MS, undefined, { signal });
  }
}
