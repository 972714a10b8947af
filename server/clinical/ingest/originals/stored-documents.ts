import type { z } from 'zod';
import type { DocumentList, DocumentsQuery, StoredDocument } from '../../../../contract/account/documents.ts';
import type { PatientId } from '../../../../contract/brands.ts';
import type { Db } from '../../../platform/db/db.ts';
import { selectDocuments, type DocumentRow } from './documents.sql.ts';

/** A page of a patient's documents, newest first. */
export async function listDocuments(
  db: Db,
  patientId: PatientId,
  { limit, before }: z.output<typeof DocumentsQuery>,
): Promise<z.input<typeof DocumentList>> {
  const rows = await db.query(selectDocuments(patientId, { before: before ?? null, limit: limit + 1 }));
  const shown = rows.slice(0, limit);
  const next = rows.length > limit ? (shown.at(-1)?.document_id ?? null) : null;
  return { results: shown.map(toDocumentDto), next };
}

const toDocumentDto = (row: DocumentRow): StoredDocument => ({
  documentId: row.document_id,
  batchId: row.batch_id,
  path: row.path,
  size: row.size,
  contentType: row.content_type ?? OCTET_STREAM,
  sha256: row.sha256.toString('hex'),
  receivedAt: row.received_at.toISOString(),
});

const OCTET_STREAM = 'application/octet-stream';

/** Types that a browser shows without running anything in them; every other file is bytes and nothing more. */
const SAFE_TYPES = new Set(
  'application/pdf application/rtf image/png image/jpeg image/gif image/tiff image/webp text/plain text/csv'.split(
    ' ',
  ),
);

/** What a document is said to be to whoever downloads it. */
export const getDownloadType = ({ content_type: type }: DocumentRow): string =>
  type !== null && SAFE_TYPES.has(type) ? type : OCTET_STREAM;

/**
 * RFC 6266: the last part of the path, in letters that every client reads (§4.3) and once more as it is (RFC 8187).
 * Without what shows a name as another, or means something to a file system.
 */
export function formatContentDisposition(path: string): string {
  const last = path.split(/[/\\]/).findLast((part) => /[^. ]/.test(part)) ?? '';
  const name = truncateName(
    last
      .toWellFormed()
      .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}<>:"|?*]/gu, '_')
      .replace(/^[. ]+/, '_'),
  );
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\x20-\x7e]|[%]/g, '_');
  const exact = encodeURIComponent(name).replace(
    /['()]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16)}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${exact}`;
}

/** At most 150 letters, with its ending. */
function truncateName(name: string): string {
  const letters = Array.from(name === '' ? 'document' : name);
  if (letters.length <= 150) return letters.join('');
  const ending = /\.[^.]{1,10}$/.exec(name)?.[0] ?? '';
  return letters.slice(0, 150 - ending.length).join('') + ending;
}
