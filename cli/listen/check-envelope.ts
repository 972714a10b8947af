import { z } from 'zod';
import { buildEnvelopeSchema, EVENT_TYPES, EventType } from '../../contract/webhooks/webhook-events.ts';
import { describeIssue } from '../../server/platform/http/describe-issue.ts';
import type { Finding } from './verify-delivery.ts';
import { revealAndTruncate } from './reveal-invisible.ts';

/** What was parsed of the body. */
export interface Envelope {
  type: string | null;
  deliveryAttempt: number | null;
  timestamp: Date | null;
  /** The body is JSON. */
  isJson: boolean;
}

/** More findings would bury the rest. */
const MAX_NOTES = 10;

/** Checks an envelope against the documentation. No finding makes a delivery fail: it is signed, so the sender means it. */
export function checkEnvelope(body: Buffer): { envelope: Envelope; notes: Finding[] } {
  const unreadable = { type: null, deliveryAttempt: null, timestamp: null, isJson: false };
  const value = parseBody(body);
  if (typeof value === 'string') return { envelope: unreadable, notes: [toFinding(value)] };
  const { type, deliveryAttempt, timestamp } = Object(value.parsed) as Record<string, unknown>;
  const occurredAt = typeof timestamp === 'string' ? new Date(timestamp) : null;
  return {
    envelope: {
      type: typeof type === 'string' ? type : null,
      deliveryAttempt: typeof deliveryAttempt === 'number' ? deliveryAttempt : null,
      timestamp: occurredAt !== null && !Number.isNaN(occurredAt.getTime()) ? occurredAt : null,
      isJson: true,
    },
    notes: findEnvelopeFaults(value.parsed, type),
  };
}

function parseBody(body: Buffer): { parsed: unknown } | string {
  if (body.length === 0) return 'The body is empty.';
  try {
    return { parsed: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) as unknown };
  } catch (error) {
    return error instanceof SyntaxError ? 'The body is not JSON.' : 'The body is not UTF-8.';
  }
}

const UNKNOWN_EVENT = buildEnvelopeSchema('webhook.test', z.looseObject({})).extend({
  type: z.string().regex(/^[a-z_]+(\.[a-z_]+)+$/, 'must be resource.action in lower case'),
});

function findEnvelopeFaults(value: unknown, type: unknown): Finding[] {
  const known = EventType.safeParse(type);
  const schema = known.success
    ? buildEnvelopeSchema(known.data, EVENT_TYPES[known.data].data)
    : UNKNOWN_EVENT;
  const issues = schema.safeParse(value, { error: describeIssue }).error?.issues ?? [];
  const notes = issues
    .slice(0, MAX_NOTES)
    .map(({ path, message }) =>
      toFinding(`${path.map((part) => revealAndTruncate(String(part))).join('.') || 'body'}: ${message}`),
    );
  const isUnknown = !known.success && typeof type === 'string';
  return isUnknown
    ? [
        ...notes,
        toFinding(
          `The type "${revealAndTruncate(type)}" is unknown here: acknowledge and ignore types you do not know.`,
        ),
      ]
    : notes;
}

const toFinding = (message: string): Finding => ({ step: 'envelope', message });
