import { enqueueNoticeMail } from './notice-mail.ts';
import type { NotifyDeps } from './notify-reads.ts';
import { claimDueDigests } from './settings.sql.ts';

const MAX_BATCH = 100;

/** Enqueues the digests whose time has come. */
export async function notifyDigests({ db, clock, jobs }: NotifyDeps, signal: AbortSignal): Promise<void> {
  let claimed: number;
  do {
    signal.throwIfAborted();
    claimed = await db.tx(async (tx) => {
      const due = await tx.query(claimDueDigests(clock.now(), MAX_BATCH));
      for (const { patient_id: patientId, until } of due) {
        const at = until.toISOString();
        await enqueueNoticeMail(tx, jobs, { patientId, kind: 'weekly_digest', event: at, at });
      }
      return due.length;
    });
  } while (claimed === MAX_BATCH);
}
