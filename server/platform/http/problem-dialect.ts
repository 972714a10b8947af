import { STATUS_CODES } from 'node:http';
import type { FastifyError, FastifyRequest } from 'fastify';
import type { Problem } from '../../../contract/problem.ts';
import { BrokenOff } from './chunk-stream.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { App } from './app.ts';
import { describeRequest } from './describe-request.ts';
import { prefersPage, sendErrorPage } from './error-page.ts';
import { toStoreRefusal } from './store-refusal.ts';
import { buildChallenge } from './challenge.ts';

/**
 * Renders the refusals of `/v1`, and of every path that no endpoint has, as problem details (RFC 9457); of paths that people
 * open, such as a mistyped one, as a page for whoever looks at it in a browser.
 */
export function registerProblemErrors(app: App): void {
  app.setErrorHandler(async (error, request, reply) => {
    const refusal = toRefusal(error as Error, request);
    logRefusal(request, refusal, error);
    if (refusal.status === 401) reply.header('www-authenticate', buildChallenge(request));
    reply.code(refusal.status).headers(refusal.headers);
    if (prefersPage({ url: request.url, accept: request.headers.accept ?? '' }))
      return sendErrorPage(reply, refusal);
    return reply.type('application/problem+json').send(toProblem(refusal));
  });
  app.setNotFoundHandler(async () => {
    throw new Refusal(404, 'not_found', { detail: 'There is nothing at this path.' });
  });
}

export const toProblem = (refusal: Refusal): Problem => ({
  type: `urn:chartgate:problem:${refusal.code}`,
  title: STATUS_CODES[refusal.status] ?? 'Error',
  status: refusal.status,
  detail: refusal.message,
  code: refusal.code,
  ...(refusal.errors.length > 0 && { errors: [...refusal.errors] }),
});

/** Status, code and detail for the errors of the framework. */
const FRAMEWORK_ERRORS: ReadonlyMap<string, [number, string, string]> = new Map([
  ['FST_ERR_CTP_BODY_TOO_LARGE', [413, 'body_too_large', 'The body is larger than this endpoint takes.']],
  [
    'FST_ERR_CTP_INVALID_CONTENT_LENGTH',
    [400, 'invalid_content_length', 'The Content-Length does not match the body.'],
  ],
  ['FST_ERR_BAD_URL', [400, 'invalid_url', 'The URL is not well-formed.']],
]);

/** Says which content type is taken instead (RFC 9110 §15.5.16): that of the endpoint, by the contract. */
function createMediaTypeRefusal(request: FastifyRequest | undefined): Refusal {
  const { consumes: taken } = (request?.routeOptions.config ?? {}) as { consumes?: string };
  const instead = taken === undefined ? '' : ` Send ${taken}.`;
  return new Refusal(415, 'unsupported_media_type', {
    detail: `This endpoint does not take this content type.${instead}`,
    ...(taken !== undefined && { headers: { accept: taken } }),
  });
}

/**
 * Logs what the caller does not learn: the error behind a 5xx, and the reason of a refusal that carries one; and of both
 * which endpoint was called.
 */
export function logRefusal(request: FastifyRequest, refusal: Refusal, error: unknown): void {
  const { status, code, reason } = refusal;
  const asked = describeRequest(request);
  if (status >= 500 && isConnectionLost(request, error))
    request.log.info({ ...asked, code: 'connection_lost' }, 'the client closed the connection');
  else if (status >= 500 && (error instanceof Refusal || reason !== null))
    request.log.warn({ ...asked, status, code, reason }, 'request refused');
  else if (status >= 500) request.log.error({ ...asked, status, err: error }, 'request failed');
  else if (reason !== null) request.log.info({ ...asked, status, code, reason }, 'request refused');
}

/** Errors of a stream whose other end has gone. */
const CLOSED_STREAM_CODES: ReadonlySet<unknown> = new Set([
  'ECONNRESET',
  'EPIPE',
  'ERR_STREAM_PREMATURE_CLOSE',
]);

/** True when the client has gone and the error only says so: a broken-off upload is no fault of ours, and needs no stack. */
const isConnectionLost = ({ raw }: FastifyRequest, error: unknown): boolean =>
  raw.destroyed && !raw.complete && CLOSED_STREAM_CODES.has((error as { code?: unknown }).code);

/** Turns an error into the refusal that the caller gets; what a request is to be answered with may depend on its endpoint. */
export function toRefusal(error: Error, request?: FastifyRequest): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof BrokenOff) return toRefusal(error.cause, request);
  const storeRefusal = toStoreRefusal(error);
  if (storeRefusal) return storeRefusal;
  const { code, statusCode } = error as FastifyError;
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return createMediaTypeRefusal(request);
  const known = FRAMEWORK_ERRORS.get(code);
  if (known) return new Refusal(known[0], known[1], { detail: known[2] });
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new Refusal(statusCode, 'bad_request', { detail: 'The request is not well-formed.' });
  }
  return new Refusal(500, 'internal_error', {
    detail:
      'Something went wrong on our side. If you were changing something, read it before you send the request again.',
  });
}
