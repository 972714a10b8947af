import type { Rejection } from './reader.ts';
import type { DocumentCounts } from '../batches/uploads.sql.ts';

/** What an archive turned out to hold besides resources; complete when it was read to its end. */
export interface ArchiveReport {
  documents: DocumentCounts;
  rejections: Rejection[];
}

export const createArchiveReport = (rejections: Rejection[] = []): ArchiveReport => ({
  documents: { total: 0, processed: 0, rejected: 0 },
  rejections,
});
