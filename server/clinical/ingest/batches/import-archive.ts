import fs from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { DocumentProcessPool } from '../../../../documents/sandbox/document-process-pool.ts';
import { maybeOne, type Tx } from '../../../platform/db/db.ts';
import type { Objects } from '../../../platform/objects/objects.ts';
import { Refusal } from '../../../platform/kernel/refusal.ts';
import { selectDemographics } from '../../../identity/patients/patients.sql.ts';
import { findUnreadOfBatch } from '../../labels/contents.sql.ts';
import type { FoundResource } from '../../store/found-resource.ts';
import { ArchiveError } from '../archive/archive-errors.ts';
import type { Rejection } from '../archive/member.ts';
import { createTextLoader } from '../import/attachment-texts.ts';
import { importResources, type ImportDeps } from '../import/import.ts';
import { createLabeledWholes } from '../import/label-wholes.ts';
import { keepExtractions } from '../import/keep-extractions.ts';
import { selectPathOfContent } from '../originals/documents.sql.ts';
import {
  deriveDocumentId,
  prepareDocument,
  storeDocument,
  type PreparedDocument,
} from '../originals/store-document.ts';
import { createPersonCollector } from '../persons/collect-persons.ts';
import { createDocumentReader } from '../readers/document.ts';
import { READERS } from '../readers/read-member.ts';
import type { Original } from '../readers/reader.ts';
import type { MemberScan } from '../readers/scan-member.ts';
import { isOpen, type UploadJob } from './batch-line.ts';
import {
  completeBatch,
  createArchiveReport,
  type ArchiveReport,
  type CompleteBatchDeps,
} from './complete-batch.ts';
import { createBudgetedExtraction, type ConversionBudget } from './conversion-budget.ts';
import { holdForAnswer, mayAsk } from './hold-batch.ts';
import { createKeptBudget, type KeptBudget } from './kept-budget.ts';
import { createTakenOutFilter } from './leave-taken-out.ts';
import { isReadInFull, listNotes } from './import-notes.ts';
import { sumKeptBytes } from './quotas.ts';
import { readResources, scanArchive } from './read-archive.ts';
import { createReadingNotes } from './reading-notes.ts';
import * as statements from './uploads.sql.ts';

export interface ArchiveDeps extends Omit<ImportDeps, 'extractText' | 'emitUpdate'>, CompleteBatchDeps {
  /** Converts documents that are not FHIR JSON, and reads those that are attached to resources. */
  documents: Pick<DocumentProcessPool, 'convert' | 'extractText'>;
  /** Where the archive may be, and where originals belong. */
  objects: Objects;
  /** The bytes that are kept of a patient at most. */
  quotaBytes: number;
}

/** Says why a resource may not enter the record; null for one that may. */
export type RefuseResource = (found: FoundResource) => Pick<Rejection, 'code' | 'message'> | null;

interface ArchiveWork {
  /** The archive, in a folder of its own. */
  file: string;
  batch: statements.BatchRow;
  refuse: RefuseResource;
  signal: AbortSignal;
  budget: ConversionBudget;
}

/**
 * Reads an archive into the record: what it holds first, and whose it is; then its originals and resources are written. Throws
 * BatchHeld where its patient has to be asked.
 */
export async function importArchive(deps: ArchiveDeps, upload: UploadJob, work: ArchiveWork): Promise<void> {
  const { file, refuse } = work;
  const scans = await scan(deps, upload, work);
  if (scans === null) return;
  const archiveReport = createArchiveReport();
  const kept = await openKeptBudget(deps, upload, file);
  const folder = dirname(file);
  const originals = createOriginals(deps, { upload, folder, kept });
  const extractText = keepExtractions(createBudgetedExtraction(deps.documents, work.budget), folder);
  const collector = createPersonCollector(createTextLoader(extractText));
  const wholes = createLabeledWholes();
  const callbacks = {
    onLabeled: wholes.add,
    onProgress: createProgressReporter(deps, upload),
    onDocument: originals.prepare,
    refuse,
  };
  const target = {
    ...upload,
    origin: work.batch.origin,
    spoolFile: join(folder, 'resources'),
    signal: work.signal,
    wholes,
    requireOpen: (tx: Tx) => requireOpenBatch(tx, upload),
    async onIndexed() {
      const { patientId } = upload;
      const { documents: counts } = archiveReport;
      await holdForAnswer(deps, { patientId, batch: work.batch, collector, documents: counts });
      await originals.store();
    },
  };
  const readingNotes = createReadingNotes();
  const takenOut = await createTakenOutFilter(deps.db, { ...upload, batch: work.batch });
  const resources = readingNotes.observe(
    takenOut.observe(kept.meter(readResources({ file, scans }, archiveReport, callbacks))),
  );
  const observed = (await mayAsk(deps, upload, work.batch)) ? collector.observe(resources) : resources;
  const result = await importResources({ ...deps, extractText }, target, observed);
  archiveReport.rejections.push(
    ...listNotes(result),
    ...readingNotes.list(),
    ...takenOut.list(),
    ...(await listUnclassified(deps, upload)),
  );
  await takenOut.forget();
  const status = isReadInFull(archiveReport.rejections) ? 'completed' : 'completed_with_errors';
  await completeBatch(deps, upload, { status, report: archiveReport, result });
}

/** Says how each member is to be read; ends the batch, and returns null, where the archive itself cannot be. */
async function scan(deps: ArchiveDeps, upload: UploadJob, work: ArchiveWork): Promise<MemberScan[] | null> {
  const { file, budget } = work;
  const documents = createDocumentReader({
    convert: (document) => budget.spend((options) => deps.documents.convert(document, options)),
    deriveDocumentId: (document) => deriveDocumentId(upload.patientId, document),
  });
  try {
    return await scanArchive(file, [...READERS, documents], work.signal);
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error;
    const report = createArchiveReport([{ path: error.path, code: error.code, message: error.message }]);
    await completeBatch(deps, upload, { status: 'failed', report, result: null });
    return null;
  }
}

/** Keeps the originals of an archive beside it until it is known whose they are. */
function createOriginals(
  deps: ArchiveDeps,
  { upload, folder, kept }: { upload: UploadJob; folder: string; kept: KeptBudget },
) {
  const prepared: PreparedDocument[] = [];
  const ownPaths = new Map<string, string>();
  return {
    async prepare(memberPath: string, { uploadedAs, ...original }: Original): Promise<void> {
      const { patientId } = upload;
      const path = uploadedAs ?? memberPath;
      // Those of a download of ours are known by their bytes: their paths there are made to unpack everywhere.
      const findPath = async (sha256: Buffer): Promise<string> => {
        const digest = sha256.toString('hex');
        const stored = await maybeOne(deps.db, selectPathOfContent(patientId, { sha256, path }));
        const known = stored?.path ?? ownPaths.get(digest) ?? path;
        ownPaths.set(digest, known);
        return known;
      };
      const document = { patientId, path, ...original, ...(uploadedAs !== undefined && { findPath }) };
      prepared.push(await prepareDocument(kept, document, join(folder, `original-${prepared.length}`)));
    },
    async store(): Promise<void> {
      for (const document of prepared) {
        await storeDocument(deps, upload, document);
        await fs.rm(document.file);
      }
    },
  };
}

/** The archive itself is deleted when it has been read. */
async function openKeptBudget(
  { db, quotaBytes }: ArchiveDeps,
  { patientId }: UploadJob,
  archive: string,
): Promise<KeptBudget> {
  const keptBytes = (await sumKeptBytes(db, patientId)) - (await fs.stat(archive)).size;
  return createKeptBudget(quotaBytes - keptBytes);
}

/** Throws when the batch has ended: a thread that was suspended must not write old data over what came after. */
async function requireOpenBatch(tx: Tx, { patientId, batchId }: UploadJob): Promise<void> {
  const batch = await maybeOne(tx, statements.selectBatch(patientId, batchId));
  if (batch === null || !isOpen(batch))
    throw new Refusal(409, 'batch_ended', { detail: 'The upload has been read by another attempt.' });
}

const MAX_UNCLASSIFIED = 10_000;

const CLASS_UNKNOWN =
  'A document in it could not be read, so it is treated as specially protected information of every class.';

/** What is uploaded for a test patient is made up: a consent that names no classes leaves out nothing of it. */
const UNKNOWN_OF_TEST_PATIENT =
  "A document in it could not be read, so its classes are not known. This test patient's consent shares it all the same, unless it names classes and leaves one out.";

/** Lists the places of the batch whose class is unknown, because a document in them could not be read. */
async function listUnclassified(
  { db }: ArchiveDeps,
  { patientId, batchId }: UploadJob,
): Promise<Rejection[]> {
  const rows = await db.query(findUnreadOfBatch(patientId, batchId, MAX_UNCLASSIFIED));
  if (rows.length === 0) return [];
  const isTest = (await maybeOne(db, selectDemographics(patientId)))?.is_test_patient === true;
  return rows.map(({ document_path, reference, fetched }) => ({
    path: `${document_path}#${reference}`,
    code: 'class_unknown',
    message: isTest && !fetched ? UNKNOWN_OF_TEST_PATIENT : CLASS_UNKNOWN,
  }));
}

const REPORT_INTERVAL_MS = 1_000;

/** Writes the counts that clients poll, at most once a second. */
function createProgressReporter(
  { db, clock }: ArchiveDeps,
  { patientId, batchId }: UploadJob,
): (report: ArchiveReport) => Promise<void> {
  let lastReportedAt = Number.NEGATIVE_INFINITY;
  return async ({ documents }) => {
    const now = clock.now().getTime();
    if (now - lastReportedAt < REPORT_INTERVAL_MS) return;
    lastReportedAt = now;
    await db.query(statements.updateDocumentCounts(patientId, batchId, documents));
  };
}
