import type { UploadBatch as Batch } from '../../../../contract/account/uploads.ts';

type Finished = Pick<Batch, 'status' | 'sourceId' | 'documents' | 'resources'>;

const countEntries = ({ resources: { created, updated, unchanged } }: Finished): number =>
  created + updated + unchanged;

/** Whether no file could be read, such as a photograph, a program, or a file that is damaged. */
export const isNothingRead = (batch: Finished): boolean =>
  batch.status === 'failed' ||
  (batch.status === 'completed_with_errors' && batch.documents.processed === 0 && countEntries(batch) === 0);

/** Whether the archive that a person chose holds no file. */
export const isEmptyArchive = ({ status, sourceId, documents }: Finished): boolean =>
  status === 'completed' && sourceId === null && documents.total === 0;
