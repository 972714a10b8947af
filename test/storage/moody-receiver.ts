import {
  webhookReceiver,
  type Received,
  type Reply,
  type WebhookReceiver,
} from '../harness/webhook-receiver.ts';

/** A request, and what was answered to it, whether or not anybody was left to hear that. */
export interface Entry extends Received {
  eventId: string;
  attempt: number;
  reply: Reply;
}

export interface MoodyReceiver extends WebhookReceiver {
  /** In the order of `received`. */
  log: Entry[];
}

/** The eighth attempt is the last one: it is never refused, so that nothing is used up by chance. */
const LAST_ATTEMPT = 8;

/** Refuses or breaks off about every seventh request, and takes its time over every fifth. */
export async function moodyReceiver(): Promise<MoodyReceiver> {
  const log: Entry[] = [];
  const receiver = await webhookReceiver();
  receiver.answer = (received) => {
    const attempt = Number(received.json.deliveryAttempt);
    const reply = attempt < LAST_ATTEMPT ? anyReply() : { status: 204 };
    log.push({ ...received, eventId: String(received.headers['webhook-id']), attempt, reply });
    return reply;
  };
  return Object.assign(receiver, { log });
}

function anyReply(): Reply {
  const mood = Math.random();
  const delayMs = Math.random() < 0.2 ? 50 + Math.random() * 250 : 0;
  if (mood < 0.06) return { status: 500, delayMs };
  if (mood < 0.12) return { status: 503, delayMs };
  return mood < 0.15 ? { status: 0, reset: true, delayMs } : { status: 204, delayMs };
}

export const acknowledged = ({ reply }: Entry): boolean => reply.status === 204;
