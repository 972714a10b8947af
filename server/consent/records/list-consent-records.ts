import type { Caller } from '../../../contract/audience.ts';
import type { ConsentRecordId, PatientId } from '../../../contract/brands.ts';
import type { PageQuery } from '../../../contract/page-query.ts';
import type { Audit } from '../../platform/audit/append.ts';
import { one, type Db } from '../../platform/db/db.ts';
import type { Objects } from '../../platform/objects/objects.ts';
import { readPicture } from '../decisions/pictures.ts';
import { toConsentRecordDto } from './consent-record.ts';
import * as statements from './consent-records.sql.ts';
import { auditView } from './audit-view.ts';

interface Deps {
  db: Db;
  objects: Objects;
  audit: Audit;
}

interface ListQuery {
  caller: Caller;
  patientId: PatientId;
  page: PageQuery;
  /** Only records that are newer. */
  since: Date | null;
}

/** How much is in memory at once: records, and bytes of screenshots unless one record has more. */
const CHUNK_LIMITS = { records: 50, bytes: 6 * 1024 * 1024 };

/**
 * Streams a page of a patient's records with their screenshots, as chunks of the text of one JSON object: a page can have 1,000
 * records of 6 MiB. The promise settles after the audit entry is durable; the chunks are read as the client takes them.
 */
export async function streamConsentRecords(deps: Deps, query: ListQuery): Promise<AsyncGenerator<string>> {
  const { caller, patientId, page, since } = query;
  const filter = { patientId, reach: caller.kind === 'patient' ? null : caller };
  const [{ total }, found] = await Promise.all([
    one(deps.db, statements.countRecords(filter)),
    deps.db.query(statements.selectRecordPage(filter, { ...page, since })),
  ]);
  if (found.some((record) => record.screenshot_bytes > 0)) await deps.objects.requireReachable(patientId);
  await auditView(deps.audit, caller, {
    action: 'consent.record_viewed',
    patientId,
    detail: {
      view: 'list',
      total,
      ...(since && { since: since.toISOString() }),
      consentRecordIds: found.map((record) => record.consent_record_id),
    },
  });
  return serializeRecords(deps, query, { total, chunks: splitIntoChunks(found) });
}

interface Chunk {
  ids: ConsentRecordId[];
  bytes: number;
}

function splitIntoChunks(
  records: readonly { consent_record_id: ConsentRecordId; screenshot_bytes: number }[],
): Chunk[] {
  const chunks: Chunk[] = [];
  for (const { consent_record_id: id, screenshot_bytes: bytes } of records) {
    const last = chunks.at(-1);
    if (last && last.ids.length < CHUNK_LIMITS.records && last.bytes + bytes <= CHUNK_LIMITS.bytes) {
      last.ids.push(id);
      last.bytes += bytes;
    } else chunks.push({ ids: [id], bytes });
  }
  return chunks;
}

async function* serializeRecords(
  deps: Deps,
  { caller, patientId }: ListQuery,
  { total, chunks }: { total: number; chunks: readonly Chunk[] },
): AsyncGenerator<string> {
  let prefix = `{"total":${total},"results":[`;
  for (const { ids, bytes } of chunks) {
    const [records, screenshots] = await Promise.all([
      deps.db.query(statements.selectConsentRecords(patientId, ids)),
      bytes === 0 ? [] : deps.db.query(statements.selectScreenshotsOfRecords(patientId, ids)),
    ]);
    const screenshotsByRecord = Map.groupBy(screenshots, (row) => row.consent_record_id);
    // Entries of concurrent calls share one commit.
    await Promise.all(
      Array.from(screenshotsByRecord, ([consentRecordId, rows]) =>
        auditView(deps.audit, caller, {
          action: 'consent.evidence_viewed',
          patientId,
          consentRecordId,
          detail: { view: 'list', screenshots: rows.length },
        }),
      ),
    );
    const rows = new Map(records.map((row) => [row.consent_record_id, row]));
    for (const id of ids) {
      const row = rows.get(id);
      // Deleted with its patient in the meantime.
      if (!row) continue;
      const result = {
        consentRecord: toConsentRecordDto(row),
        screenshots: await Promise.all(
          (screenshotsByRecord.get(id) ?? []).map((each) => toScreenshotDto(deps.objects, patientId, each)),
        ),
      };
      yield prefix + JSON.stringify(result);
      prefix = ',';
    }
  }
  yield prefix === ',' ? ']}' : `${prefix}]}`;
}

const toScreenshotDto = async (
  objects: Objects,
  patientId: PatientId,
  row: statements.StoredScreenshotRow,
) => ({
  id: row.screenshot_id,
  data: (await readPicture(objects, patientId, row)).toString('base64'),
  contentType: row.content_type,
});
