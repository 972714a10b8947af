import type { FastifyReply } from 'fastify';
import type { StoredScreenshotRow } from './consent-records.sql.ts';

/** Sends a screenshot of a decision as an image, and as nothing else. */
export const sendScreenshot = (reply: FastifyReply, row: StoredScreenshotRow, bytes: Buffer): FastifyReply =>
  reply
    .headers({
      'content-type': row.content_type,
      // Whatever the bytes are, a browser shows an image of them or nothing.
      'content-security-policy': "default-src 'none'; sandbox",
      'content-disposition': `inline; filename="consent-${row.screenshot_id}.png"`,
      'cache-control': 'private, no-store',
    })
    .send(bytes);
