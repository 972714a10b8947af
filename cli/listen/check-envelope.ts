import { z } from 'zod';
import { envelopeOf, EVENT_TYPES, EventType } from '../../contract/webhook-events.ts';
import type { Finding } from './verify-delivery.ts';
import { brief } from './visible-text.ts';

/** Of the body, as far as it can be read. */
export interface Envelope {
  type: string | null;
  deliveryAttempt: number | null;
  timestamp: Date | null;
  /** It is JSON. */
  readable: boolean;
}

/** More would bury the rest. */
const MOST_NOTES = 10;

/** Nothing here makes a delivery fail: it is signed, so the sender means it. */
export function checkEnvelope(body: Buffer): { envelope: Envelope; notes: Finding[] } {
  const nothing = { type: null, deliveryAttempt: null, timestamp: null, readable: false };
  const value = valueIn(body);
  if (typeof value === 'string') return { envelope: nothing, notes: [note(value)] };
  const { type, deliveryAttempt, timestamp } = Object(value.parsed) as Record<string, unknown>;
  const happened = typeof timestamp === 'string' ? new Date(timestamp) : null;
  return {
    envelope: {
      type: typeof type === 'string' ? type : null,
      deliveryAttempt: typeof deliveryAttempt === 'number' ? deliveryAttempt : null,
      timestamp: happened !== null && !Number.isNaN(happened.getTime()) ? happened : null,
      readable: true,
    },
    notes: faultsOf(value.parsed, type),
  };
}

function valueIn(body: Buffer): { parsed: unknown } | string {
  if (body.length === 0) return 'The body is empty.';
  try {
    return { parsed: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) as unknown };
  } catch (error) {
    return error instanceof SyntaxError ? 'The body is not JSON.' : 'The body is not UTF-8.';
  }
}

const ANY_TYPE = envelopeOf('webhook.test', z.looseObject({})).extend({
  type: z.string().regex(/^[a-z_]+(\.[a-z_]+)+$/, 'must be resource.action in lower case'),
});

function faultsOf(value: unknown, type: unknown): Finding[] {
  const known = EventType.safeParse(type);
  const schema = known.success ? envelopeOf(known.data, EVENT_TYPES[known.data].data) : ANY_TYPE;
  const faults = schema.safeParse(value).error?.issues ?? [];
  const notes = faults
    .slice(0, MOST_NOTES)
    .map(({ path, message }) =>
      note(`${path.map((part) => brief(String(part))).join('.') || 'body'}: ${message}`),
    );
  const isNew = !known.success && typeof type === 'string';
  return isNew
    ? [
        ...notes,
        note(`The type "${brief(type)}" is unknown here: acknowledge and ignore types you do not know.`),
      ]
    : notes;
}

const note = (message: string): Finding => ({ step: 'envelope', message });
