import {
  startWebhookReceiver,
  type ReceivedRequest,
  type Reply,
  type WebhookReceiver,
} from '../harness/webhook-receiver.ts';

/** A request, and what was answered to it, whether or not anybody was left to hear that. */
export interface LogEntry extends ReceivedRequest {
  eventId: string;
  attempt: number;
  reply: Reply;
}

export interface FlakyReceiver extends WebhookReceiver {
  /** In the order of `received`. */
  log: LogEntry[];
  /** Resolves when a request has come that waits for its answer, and will for a while. */
  holdNext(): Promise<void>;
}

/** The eighth attempt is the last one: it is never refused, so that nothing is used up by chance. */
const LAST_ATTEMPT = 8;

/** Longer than it takes to kill a process. */
const HELD_MS = 1000;

/** Refuses or breaks off about every seventh request, and takes its time over every fifth. */
export async function startFlakyReceiver(): Promise<FlakyReceiver> {
  const log: LogEntry[] = [];
  let onHeld: (() => void) | null = null;
  const receiver = await startWebhookReceiver();
  receiver.respond = (received) => {
    const attempt = Number(received.json.deliveryAttempt);
    const reply: Reply = attempt < LAST_ATTEMPT ? pickReply() : { status: 204 };
    if (onHeld !== null) reply.delayMs = HELD_MS;
    onHeld?.();
    onHeld = null;
    log.push({ ...received, eventId: String(received.headers['webhook-id']), attempt, reply });
    return reply;
  };
  return Object.assign(receiver, {
    log,
    holdNext: () => new Promise<void>((resolve) => (onHeld = resolve)),
  });
}

function pickReply(): Reply {
  const random = Math.random();
  const delayMs = Math.random() < 0.2 ? 50 + Math.random() * 250 : 0;
  if (random < 0.06) return { status: 500, delayMs };
  if (random < 0.12) return { status: 503, delayMs };
  return random < 0.15 ? { status: 0, reset: true, delayMs } : { status: 204, delayMs };
}

export const isAcknowledged = ({ reply }: LogEntry): boolean => reply.status === 204;
