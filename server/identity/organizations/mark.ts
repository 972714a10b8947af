import { createHash } from 'node:crypto';
import { MARK_LIMITS } from '../../../contract/organization/organization.ts';
import type { OrganizationId } from '../../../contract/brands.ts';
import { invalidInput } from '../../platform/kernel/refusal.ts';
import { countPngPixels, stripPng } from '../../platform/kernel/png.ts';
import type { MarkRow } from './marks.sql.ts';

/**
 * Validates a picture and returns it as it is stored: a whole PNG and nothing else, without what describes where or by what it
 * was taken. Other formats are refused: an SVG may hold script, and the rest would need a decoder of ours.
 */
export async function buildMark(organizationId: OrganizationId, image: string): Promise<MarkRow> {
  const bytes = Buffer.from(image, 'base64');
  if (bytes.length > MARK_LIMITS.bytes)
    throw invalidInput([{ path: 'image', message: `must have at most ${MARK_LIMITS.bytes} bytes` }]);
  const pixels = await countPngPixels(bytes, {
    minSide: MARK_LIMITS.minSide,
    width: MARK_LIMITS.side,
    height: MARK_LIMITS.side,
    pixels: MARK_LIMITS.side ** 2,
  });
  if (typeof pixels === 'string') throw invalidInput([{ path: 'image', message: pixels }]);
  const png = stripPng(bytes);
  return { organization_id: organizationId, hash: createHash('sha256').update(png).digest('hex'), png };
}
