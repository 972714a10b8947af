import type { UploadBatch as Batch } from '../../../../contract/account/uploads.ts';
import { leaveArchive } from './format-files.ts';

const UNREAD = 'not_read_in_time';

/** Whether files of this batch were not read in time, and none of them has come again: the newest batch is first. */
export function canBeReadAgain(batch: Batch, batches: readonly Batch[]): boolean {
  const unread = new Set(batch.rejected.filter(({ code }) => code === UNREAD).map(({ path }) => path));
  const newer = batches.slice(
    0,
    batches.findIndex(({ batchId }) => batchId === batch.batchId),
  );
  return (
    unread.size > 0 &&
    !newer.some(({ paths }) => paths.some((path) => unread.has(path) || unread.has(leaveArchive(path))))
  );
}
