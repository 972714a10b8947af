import type { z } from 'zod';
import {
  DOWNLOAD_TYPES,
  type DocumentList,
  type DocumentsQuery,
  type StoredDocument,
} from '../../../../contract/account/documents.ts';
import type { PatientId } from '../../../../contract/brands.ts';
import type { Db } from '../../../platform/db/db.ts';
import { selectDocuments, type DocumentRow } from './documents.sql.ts';

/** Lists a page of a patient's documents, newest first. */
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

const SAFE_TYPES: ReadonlySet<string> = new Set(DOWNLOAD_TYPES);

/** Returns the media type that a download is sent with. */
export const getDownloadType = ({ content_type: type }: DocumentRow): string =>
  type !== null && SAFE_TYPES.has(type) ? type : OCTET_STREAM;

/**
 * Formats the last part of the path (RFC 6266): in ASCII, which every client reads (§4.3), and in full (RFC 8187), without
 * characters that disguise a name or are special to a file system.
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

/** Truncates a name to 150 letters, its extension included. */
function truncateName(name: string): string {
  const letters = Array.from(name === '' ? 'document' : name);
  if (letters.length <= 150) return letters.join('');
  const ending = /\.[^.]{1,10}$/.exec(name)?.[0] ?? '';
  return letters.slice(0, 150 - ending.length).join('') + ending;
}
