import type { z } from 'zod';
import {
  OutboundFailedError,
  OutboundRefusedError,
  type OutboundResponse,
} from '../../../platform/outbound/request.ts';
import { Refusal } from '../../../platform/kernel/refusal.ts';
import { unknownClient } from '../oauth-refusal.ts';

/** The draft advises 5 kB. */
export const MAX_DOCUMENT_BYTES = 5120;

/** The refusal of a client whose metadata document is not acceptable; `fault` continues a sentence about it. */
export const unacceptable = (fault: string): Refusal =>
  unknownClient(`The client's metadata document ${fault}.`);

/** Of statuses, those that a server answers for a while. */
const PASSING: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504]);

/**
 * The refusal of a client whose document cannot be had now. It does not say why: whether a name has no address, a private one, or
 * one at which nobody answers would show what our network looks like. The operator's log says it.
 */
const unavailable = (reason: string): Refusal =>
  new Refusal(400, 'client_unavailable', {
    reason,
    detail:
      "The client's metadata document could not be fetched within 2.5 seconds from a public address, as a whole and with a status of success; try again later.",
  });

/** Throws unless the answer is a document as it is. */
export function requireDocument({ status, headers }: Pick<OutboundResponse, 'status' | 'headers'>): void {
  if (PASSING.has(status)) throw unavailable(`status ${status}`);
  if (status >= 300 && status < 400)
    throw unacceptable(`was answered with the redirect ${status}, which is not followed`);
  if (status !== 200) throw unacceptable(`was answered with status ${status}, not 200`);
  const coding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (coding !== 'identity') throw unacceptable('has a Content-Encoding, although none was asked for');
  if (!/^application\/([\w.-]+\+)?json *(;|$)/i.test(headers['content-type'] ?? ''))
    throw unacceptable('has a Content-Type that is not application/json');
}

/** Describes the first fault by the name of our field, which the schema knows: nothing of the document is quoted. */
export function describeFault({ issues }: z.ZodError): string {
  const [field] = issues[0]?.path ?? [];
  if (field === undefined) return 'is no JSON object';
  if (field === 'client_secret' || field === 'client_secret_expires_at')
    return 'holds a secret, which a public client has none of';
  return `has a ${String(field)} that is missing or of another type`;
}

/** Returns the refusal for whoever named the document, with what to log; null for a fault of our own. */
export function toDocumentRefusal(error: unknown, host: string): Refusal | null {
  const refusal = toRefusal(error);
  if (refusal === null) return null;
  const { status, code, message } = refusal;
  return new Refusal(status, code, {
    detail: message,
    reason: `client document at ${host}: ${refusal.reason ?? message}`,
  });
}

function toRefusal(error: unknown): Refusal | null {
  if (error instanceof OutboundFailedError && error.reason === 'answer_too_large')
    return unacceptable(`has more than ${MAX_DOCUMENT_BYTES} bytes`);
  if (error instanceof OutboundFailedError || error instanceof OutboundRefusedError)
    return unavailable(error.reason);
  if (!(error instanceof Refusal)) return null;
  return METADATA_ERRORS.has(error.code)
    ? unknownClient(`The client's metadata document is refused: ${error.message}`)
    : error;
}

const METADATA_ERRORS: ReadonlySet<string> = new Set(['invalid_redirect_uri', 'invalid_client_metadata']);
