import type { FastifyReply } from 'fastify';

/** Sends the mark of an organization, as an image and nothing else. Its address names its bytes, so it is kept for good. */
export const sendMark = (reply: FastifyReply, png: Buffer): FastifyReply =>
  reply
    .headers({
      'content-type': 'image/png',
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'public, max-age=31536000, immutable',
      // The preview of the review, which has an origin of its own, shows it too.
      'cross-origin-resource-policy': 'cross-origin',
    })
    .send(png);
