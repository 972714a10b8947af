import type { BatchId, ConsentRecordId, PatientId } from '../../../contract/brands.ts';
import { NO_LABELS } from '../../consent/access/sensitivity-labels.ts';
import { toConsentRecordDto } from '../../consent/records/consent-record.ts';
import {
  selectConsentRecords,
  selectRecordIdsAfter,
  selectScreenshot,
  selectScreenshots,
} from '../../consent/records/consent-records.sql.ts';
import { readPicture } from '../../consent/decisions/pictures.ts';
import type { SignReceipt } from './my-receipts.route.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import { maybeOne, type Db } from '../../platform/db/db.ts';
import { readDocument, type BlobDeps } from '../../clinical/ingest/originals/blobs.ts';
import { selectDocumentsAfter } from '../../clinical/ingest/originals/documents.sql.ts';
import { carryLabels } from '../../clinical/ingest/import/carry-labels.ts';
import { redactBody } from '../../clinical/labels/redact.ts';
import {
  selectBodiesOfType,
  selectNextType,
  type OwnBodyRow,
} from '../../clinical/store/resource-bodies.sql.ts';
import { selectAccessLogLines } from './access-log.sql.ts';
import { createNameDeduplicator, sanitizePath } from './zip-entry-name.ts';
import { buildProfile } from './profile.ts';
import { buildReadme } from './readme.ts';
import type { ZipEntry } from '../../platform/http/zip-stream.ts';

export interface DownloadDeps extends BlobDeps {
  clock: Clock;
  signReceipt: SignReceipt;
}

const PAGE_SIZE = 500;
/** About as much of a record as is in memory at a time. */
const PAGE_BYTES = 4 * 1024 * 1024;

/** Before every UUID. */
const NIL_UUID = '00000000-0000-0000-0000-000000000000';

/**
 * Yields everything that the service keeps about a person, entry by entry; uploads that are not read yet it names. Each page is a statement of its own: an upload
 * meanwhile waits for nobody, and no connection is held while a slow client reads.
 */
export async function* exportEverything(deps: DownloadDeps, patientId: PatientId): AsyncGenerator<ZipEntry> {
  const now = deps.clock.now();
  const profile = await buildProfile(deps, patientId);
  yield { path: 'README.txt', modified: now, bytes: [buildReadme(profile.uploads)] };
  yield { path: 'profile.json', modified: now, bytes: [`${JSON.stringify(profile, null, 2)}\n`] };
  yield* exportRecord(deps, patientId, now);
  yield* exportDocuments(deps, patientId);
  yield* exportConsents(deps, patientId);
  yield { path: 'access-log.ndjson', modified: now, bytes: readAccessLogLines(deps, patientId) };
}

/** Yields the record as FHIR Bulk Data Access lays it out: a file for each type, a resource on each line. */
async function* exportRecord(
  { db }: DownloadDeps,
  patientId: PatientId,
  now: Date,
): AsyncGenerator<ZipEntry> {
  for (let after = ''; ;) {
    const next = await maybeOne(db, selectNextType(patientId, after));
    if (!next) return;
    after = next.resource_type;
    yield { path: `record/${after}.ndjson`, modified: now, bytes: readBodyLines(db, patientId, after) };
  }
}

async function* readBodyLines(db: Db, patientId: PatientId, type: string): AsyncGenerator<string> {
  for (let after = ''; ;) {
    const page = { type, after, limit: PAGE_SIZE, bytes: PAGE_BYTES };
    const rows = await db.query(selectBodiesOfType(patientId, page));
    const own = rows.map((row) => ({ seq: row.seq, body: redactOwn(row) }));
    for (const body of await carryLabels(db, patientId, { type, rows: own })) yield `${toSingleLine(body)}\n`;
    const last = rows.at(-1);
    if (!last) return;
    after = last.fhir_id;
  }
}

/** Leaves out what names a fetched record of a restricted class, of a test patient; nothing for anybody else. */
const redactOwn = ({ body, withheld, ...labels }: OwnBodyRow): string =>
  withheld === NO_LABELS ? body : redactBody(Buffer.from(body), labels, [withheld]).toString();

/** Between the tokens of JSON a line break is as good as a space, and strings hold none (RFC 8259 §2, §7). */
const toSingleLine = (body: string): string => body.replace(/[\r\n]+/g, ' ');

async function* exportDocuments(deps: DownloadDeps, patientId: PatientId): AsyncGenerator<ZipEntry> {
  let after = { batch_id: NIL_UUID as BatchId, path: '', document_id: NIL_UUID };
  let deduplicate = createNameDeduplicator();
  for (;;) {
    const rows = await deps.db.query(selectDocumentsAfter(patientId, after, PAGE_SIZE));
    for (const row of rows) {
      if (row.batch_id !== after.batch_id) deduplicate = createNameDeduplicator();
      after = row;
      const path = `documents/${row.batch_id}/${deduplicate(sanitizePath(row.path))}`;
      yield { path, modified: row.received_at, bytes: readBytes(deps, patientId, row) };
    }
    if (rows.length === 0) return;
  }
}

/** Opens a document when its turn comes, so that none is left open when the client goes away. */
async function* readBytes(...document: Parameters<typeof readDocument>): AsyncGenerator<Buffer> {
  yield* await readDocument(...document);
}

async function* exportConsents(deps: DownloadDeps, patientId: PatientId): AsyncGenerator<ZipEntry> {
  for (let after = NIL_UUID as ConsentRecordId; ;) {
    const ids = await deps.db.query(selectRecordIdsAfter(patientId, after, PAGE_SIZE));
    for (const { consent_record_id: id } of ids) yield* exportConsent(deps, patientId, id);
    const last = ids.at(-1);
    if (!last) return;
    after = last.consent_record_id;
  }
}

/** Yields the record of a decision, its signed receipt, and the screenshots of its evidence. */
async function* exportConsent(
  { db, objects, signReceipt }: DownloadDeps,
  patientId: PatientId,
  id: ConsentRecordId,
): AsyncGenerator<ZipEntry> {
  const row = await maybeOne(db, selectConsentRecords(patientId, [id]));
  if (!row) return;
  const modified = row.decided_at;
  yield {
    path: `consents/${id}.json`,
    modified,
    bytes: [`${JSON.stringify(toConsentRecordDto(row), null, 2)}\n`],
  };
  const receipt = await signReceipt(patientId, id);
  if (receipt !== null) yield { path: `consents/${id}/receipt.jws`, modified, bytes: [receipt] };
  const screens = await db.query(selectScreenshots(patientId, id));
  for (const [index, { screenshot_id, taken_at }] of screens.entries()) {
    const screen = await maybeOne(db, selectScreenshot(patientId, id, screenshot_id));
    if (!screen) continue;
    const bytes = [await readPicture(objects, patientId, screen)];
    yield { path: `consents/${id}/screen-${index + 1}.png`, modified: taken_at, bytes };
  }
}

async function* readAccessLogLines({ db }: DownloadDeps, patientId: PatientId): AsyncGenerator<string> {
  for (let after = NIL_UUID; ;) {
    const rows = await db.query(selectAccessLogLines(patientId, after, PAGE_SIZE));
    for (const { line } of rows) yield `${line}\n`;
    const last = rows.at(-1);
    if (!last) return;
    after = last.entry_id;
  }
}
