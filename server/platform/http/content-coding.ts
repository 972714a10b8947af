import type { FastifyRequest } from 'fastify';
import { Refusal } from '../kernel/refusal.ts';
import type { App } from './app.ts';
import { hasBody } from './body-deadline.ts';

/**
 * Refuses bodies under a content coding, which would be read as if they had none: 415 with what is taken (RFC 9110 §12.5.3,
 * §15.5.16). After the caller was let in, and before any of the body is read.
 */
export function refuseContentCodings(app: App): void {
  app.addHook('preParsing', async (request) => {
    if (isCoded(request)) throw createCodingRefusal();
  });
}

const isCoded = ({ raw: { headers } }: FastifyRequest): boolean =>
  headers['content-encoding'] !== undefined &&
  hasBody(headers) &&
  headers['content-encoding']
    .split(',')
    .some((coding) => !['', 'identity'].includes(coding.trim().toLowerCase()));

const createCodingRefusal = (): Refusal =>
  new Refusal(415, 'unsupported_content_coding', {
    detail:
      'Bodies are taken as they are, under no content coding such as gzip: send it without Content-Encoding.',
    headers: { 'accept-encoding': 'identity' },
  });
