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
}

/** The eighth attempt is the last one: it is never refused, so that nothing is used up by chance. */
const LAST_ATTEMPT = 8;

/** Refuses or breaks off about every seventh request, and takes its time over every fifth. */
export async function startFlakyReceiver(): Promise<FlakyReceiver> {
  const log: LogEntry[] = [];
  const receiver = await startWebhookReceiver();
  receiver.respond = (received) => {
    const attempt = Number(received.json.deliveryAttempt);
    const reply = attempt < LAST_ATTEMPT ? pickReply() : { status: 204 };
    log.push({ ...received, eventId: String(received.headers['webhook-id']), attempt, reply });
    return reply;
  };
  return Object.assign(receiver, { log });
}

function pickReply(): Reply {
  const random = Math.random();
  const delayMs = Math.random() < 0.2 ? 50 + Math.random() * 250 : 0;
  if (random < 0.06) return { status: 500, delayMs };
  if (random < 0.12) return { status: 503, delayMs };
  return random < 0.15 ? { status: 0, reset: true, delayMs } : { status: 204, delayMs };
}

export const isAcknowledged = ({ reply }: LogEntry): boolean => reply.status === 204;
