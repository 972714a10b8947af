import type { DataMask } from '../../../contract/brands.ts';
import { redactBody } from '../../clinical/labels/redact.ts';
import type { ResourcePrefix } from './record.sql.ts';

/** What `selectChunk` returns beside the text; absent where some consent leaves out nothing. */
interface ChunkRedactions {
  /** The masks of what the consents leave out, separated by spaces. */
  masks: Buffer | null | undefined;
  /** A line for each resource: bytes of its reference, bytes of its body, its labels, and its redactions if it has any. */
  redactions: Buffer | null | undefined;
  prefix: ResourcePrefix;
}

/** Leaves out of the resources of a chunk what no consent covers, without parsing them. */
export function redactChunk(text: Buffer, { masks, redactions, prefix }: ChunkRedactions): readonly Buffer[] {
  if (text.length === 0) return [];
  if (!masks || !redactions) return [text];
  const rows = redactions
    .toString('utf8')
    .split('\n')
    .map((line) => line.split('|'));
  if (rows.every(({ length }) => length < 4)) return [text];
  const withheld = masks.toString('utf8').split(' ').map(Number);
  const fixed =
    typeof prefix === 'string'
      ? Buffer.byteLength(prefix)
      : Buffer.byteLength(prefix.before) + Buffer.byteLength(prefix.after);
  const parts: Buffer[] = [];
  let at = 0;
  for (const [reference, length, labels, found = null] of rows) {
    const start = at + fixed + (typeof prefix === 'string' ? 0 : Number(reference));
    const end = start + Number(length);
    const row = { required_labels: Number(labels) as DataMask, redactions: found };
    parts.push(text.subarray(at, start), redactBody(text.subarray(start, end), row, withheld));
    at = end;
  }
  return parts;
}
