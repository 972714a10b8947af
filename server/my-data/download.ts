import type { BatchId, ConsentRecordId, PatientId } from '../../contract/ids.ts';
import { recordOnWire } from '../consent/consent-records/record-on-wire.ts';
import { consentRecords, screenshotById, screenshotList } from '../consent/consent-records/records.sql.ts';
import type { ReceiptOf } from '../consent/my-consents.route.ts';
import type { Clock } from '../kernel/clock.ts';
import { maybeOne, type Db } from '../storage/db.ts';
import { readBlob } from '../uploads/blobs.ts';
import * as statements from './download.sql.ts';
import { distinctNames, safePath } from './member-name.ts';
import { README } from './readme.ts';
import type { ArchiveMember } from './zip-stream.ts';

export interface DownloadDeps {
  db: Db;
  clock: Clock;
  receiptOf: ReceiptOf;
}

const PAGE = 500;
/** About as much of a record is in memory at a time. */
const PAGE_BYTES = 4 * 1024 * 1024;

/** Before every UUID. */
const FIRST = '00000000-0000-0000-0000-000000000000';

/**
 * Everything that is kept of a person, member by member. Each page is a statement of its own: whoever uploads meanwhile
 * waits for nobody, and no connection is held while a slow reader reads.
 */
export async function* everythingOf(deps: DownloadDeps, patientId: PatientId): AsyncGenerator<ArchiveMember> {
  const now = deps.clock.now();
  yield { path: 'README.txt', modified: now, bytes: [README] };
  yield* recordOf(deps, patientId, now);
  yield* documentsOf(deps, patientId);
  yield* consentsOf(deps, patientId);
  yield { path: 'access-log.ndjson', modified: now, bytes: logLines(deps, patientId) };
}

/** As the FHIR Bulk Data Access specification writes it: a file for each type, a resource on each line. */
async function* recordOf(
  { db }: DownloadDeps,
  patientId: PatientId,
  now: Date,
): AsyncGenerator<ArchiveMember> {
  for (let after = ''; ;) {
    const next = await maybeOne(db, statements.nextType(patientId, after));
    if (!next) return;
    after = next.resource_type;
    yield { path: `record/${after}.ndjson`, modified: now, bytes: bodyLines(db, patientId, after) };
  }
}

async function* bodyLines(db: Db, patientId: PatientId, type: string): AsyncGenerator<string> {
  for (let after = ''; ;) {
    const page = { type, after, most: PAGE, bytes: PAGE_BYTES };
    const rows = await db.query(statements.bodiesOfType(patientId, page));
    for (const { body } of rows) yield `${onOneLine(body)}\n`;
    const last = rows.at(-1);
    if (!last) return;
    after = last.fhir_id;
  }
}

/** Between the tokens of JSON a line break is as good as a space, and inside of texts there is none (RFC 8259 §2, §7). */
const onOneLine = (body: string): string => body.replace(/[\r\n]+/g, ' ');

async function* documentsOf({ db }: DownloadDeps, patientId: PatientId): AsyncGenerator<ArchiveMember> {
  let after = { batch_id: FIRST as BatchId, path: '', document_id: FIRST };
  let distinct = distinctNames();
  for (;;) {
    const rows = await db.query(statements.keptDocuments(patientId, after, PAGE));
    for (const row of rows) {
      if (row.batch_id !== after.batch_id) distinct = distinctNames();
      after = row;
      const path = `documents/${row.batch_id}/${distinct(safePath(row.path))}`;
      const bytes = readBlob(db, { patientId, blobId: row.document_id });
      yield { path, modified: row.received_at, bytes };
    }
    if (rows.length === 0) return;
  }
}

async function* consentsOf(deps: DownloadDeps, patientId: PatientId): AsyncGenerator<ArchiveMember> {
  for (let after = FIRST as ConsentRecordId; ;) {
    const ids = await deps.db.query(statements.recordIds(patientId, after, PAGE));
    for (const { consent_record_id: id } of ids) yield* consentOf(deps, patientId, id);
    const last = ids.at(-1);
    if (!last) return;
    after = last.consent_record_id;
  }
}

/** The record of a decision, its signed receipt, and the screens it was made on. */
async function* consentOf(
  { db, receiptOf }: DownloadDeps,
  patientId: PatientId,
  id: ConsentRecordId,
): AsyncGenerator<ArchiveMember> {
  const row = await maybeOne(db, consentRecords(patientId, [id]));
  if (!row) return;
  const modified = row.decided_at;
  yield {
    path: `consents/${id}.json`,
    modified,
    bytes: [`${JSON.stringify(recordOnWire(row), null, 2)}\n`],
  };
  const receipt = await receiptOf(patientId, id);
  if (receipt !== null) yield { path: `consents/${id}/receipt.jws`, modified, bytes: [receipt] };
  const screens = await db.query(screenshotList(patientId, id));
  for (const [index, { screenshot_id, taken_at }] of screens.entries()) {
    const screen = await maybeOne(db, screenshotById(patientId, id, screenshot_id));
    if (screen)
      yield { path: `consents/${id}/screen-${index + 1}.png`, modified: taken_at, bytes: [screen.bytes] };
  }
}

async function* logLines({ db }: DownloadDeps, patientId: PatientId): AsyncGenerator<string> {
  for (let after = FIRST; ;) {
    const rows = await db.query(statements.logOf(patientId, after, PAGE));
    for (const { line } of rows) yield `${line}\n`;
    const last = rows.at(-1);
    if (!last) return;
    after = last.entry_id;
  }
}
