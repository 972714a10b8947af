import { decodeJwt, decodeProtectedHeader } from 'jose';
import type { ConsentRecordId, PatientId, ScreenshotId } from '../../../contract/brands.ts';
import { exportSlice } from '../../platform/audit/export-slice.ts';
import { maybeOne } from '../../platform/db/db.ts';
import type { Objects } from '../../platform/objects/objects.ts';
import type { ZipEntry } from '../../platform/http/zip-stream.ts';
import { listAllSigningKeys } from '../../platform/keys/signing-keys.ts';
import { readPicture } from '../decisions/pictures.ts';
import { findRecordForReceipt } from '../receipts/build-receipt.ts';
import type { ReceiptRow } from '../receipts/receipt.sql.ts';
import { signReceipt, type ReceiptDeps } from '../receipts/receipt.ts';
import { toConsentRecordDto } from '../records/consent-record.ts';
import { selectScreenshot, selectScreenshots } from '../records/consent-records.sql.ts';
import { collectLogEntries, type LogEntries } from './log-entries.ts';
import { hashBytes, MANIFEST, signManifest, type FileHash } from './manifest.ts';
import { renderEvidencePage, type EvidenceScreen } from './evidence-page.ts';

export interface EvidenceDeps extends ReceiptDeps {
  objects: Objects;
}

interface RecordKey {
  patientId: PatientId;
  consentRecordId: ConsentRecordId;
}

/**
 * Yields the evidence of a decision, file by file, one picture in memory at a time, and last the manifest that signs each of
 * them. Whoever has the archive checks it without the service: the keys that signed are in it.
 */
export async function* exportEvidence(deps: EvidenceDeps, key: RecordKey): AsyncGenerator<ZipEntry> {
  const manifest: FileHash[] = [];
  for await (const { path, bytes, ...entry } of listFiles(deps, key))
    yield { path, ...entry, bytes: hashBytes(bytes, (hashed) => manifest.push({ path, ...hashed })) };
  // The archive asks for the next file when it has the one before, so all of them are hashed.
  const jws = await signManifest(deps, key.consentRecordId, manifest);
  yield { path: MANIFEST, modified: deps.clock.now(), bytes: [jws] };
}

async function* listFiles(deps: EvidenceDeps, key: RecordKey): AsyncGenerator<ZipEntry> {
  const row = await findRecordForReceipt(deps.db, key);
  const receipt = await signReceipt(deps, key);
  // Deleted with its patient since the caller was let in.
  if (!row || receipt === null) throw new Error('the consent record is gone');
  const modified = deps.clock.now();
  const toJson = (path: string, value: unknown): ZipEntry => ({
    path,
    modified,
    bytes: [`${JSON.stringify(value, null, 2)}\n`],
  });
  const record = toConsentRecordDto(row);
  const words = buildWords(row);
  yield toJson('record.json', record);
  yield { path: 'receipt.jws', modified, bytes: [receipt] };
  yield toJson('receipt.json', { header: decodeProtectedHeader(receipt), payload: decodeJwt(receipt) });
  yield toJson('words.json', words);
  yield toJson('keys.json', { keys: await listAllSigningKeys(deps.db) });
  const screens = await listScreens(deps, row);
  yield toJson('screens.json', screens);
  for (const screen of screens)
    yield { path: screen.file, modified: new Date(screen.takenAt), bytes: readScreen(deps, row, screen) };
  const log: LogEntries = { entries: [], omitted: 0 };
  yield { path: 'audit.ndjson', modified, bytes: collectLogEntries(exportDecisionLog(deps, row), log) };
  const page = { record, screens, log, exportedAt: modified, issuer: deps.baseUrl, row };
  yield {
    path: 'index.html',
    modified,
    bytes: renderEvidencePage(page, (screen) => readScreen(deps, row, screen)),
  };
}

const exportDecisionLog = (deps: EvidenceDeps, row: ReceiptRow): AsyncGenerator<string> =>
  exportSlice(deps, {
    patientId: row.patient_id,
    decision: {
      organizationId: row.organization_id,
      projectId: row.project_id,
      consentRecordId: row.consent_record_id,
    },
  });

/** What the patient read, in every language and for every consent of that version. */
export interface EvidenceWords {
  project: { id: string; name: string };
  studySnapshotId: string;
  version: number | null;
  content: unknown;
  consentTypes: unknown;
}

const parseJson = (text: string | null): unknown => (text === null ? null : JSON.parse(text));

const buildWords = (row: ReceiptRow): EvidenceWords => ({
  project: { id: row.project_id, name: row.project_name },
  studySnapshotId: row.study_snapshot_id,
  version: row.version,
  content: parseJson(row.content),
  consentTypes: parseJson(row.consent_types),
});

/** The pictures in the order in which the patient saw them, with the hashes that the receipt names. */
async function listScreens({ db }: ReceiptDeps, row: ReceiptRow): Promise<EvidenceScreen[]> {
  const hashes = JSON.parse(row.screenshots) as { id: ScreenshotId; sha256: string }[];
  const stored = await db.query(selectScreenshots(row.patient_id, row.consent_record_id));
  return stored.map(({ screenshot_id: id, screen, taken_at: takenAt }, index) => ({
    file: `screens/${String(index + 1).padStart(2, '0')}.png`,
    id,
    screen,
    takenAt: takenAt.toISOString(),
    sha256: hashes.find((each) => each.id === id)?.sha256 ?? '',
  }));
}

async function* readScreen(
  { db, objects }: EvidenceDeps,
  row: ReceiptRow,
  { id }: EvidenceScreen,
): AsyncGenerator<Buffer> {
  const picture = await maybeOne(db, selectScreenshot(row.patient_id, row.consent_record_id, id));
  if (!picture) throw new Error('the picture is gone');
  yield await readPicture(objects, row.patient_id, picture);
}
