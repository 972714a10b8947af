/** Attempts at a time to one endpoint from this node, as many as connections are kept. */
export const MOST_SENDING = 16;

/** Taken at a time of one endpoint: what waits fills the time that claims and results need. */
export const MOST_TAKEN = 16 * MOST_SENDING;

/** Taken of an endpoint that nothing is known of; and of one that fails. */
export const FIRST = 4;
export const LEAST = 2;

/** Longest wait for a turn. */
const WAITING_MS = 500;

/** Endpoints remembered without anything to do. */
const MOST_KNOWN = 1000;

interface Endpoint {
  /** How many may be taken. */
  window: number;
  taken: number;
  sending: number;
  /** For their turn to send. */
  waiting: Set<Waiting>;
  maxPerSecond: number | null;
  /** Attempts that its rate permits by now. */
  allowance: number;
  /** Milliseconds, when that was reckoned. */
  at: number;
}

/** `unknown`: nothing was learned of the endpoint. */
export type EndpointAnswer = 'quick' | 'slow' | 'failed' | 'unknown';

const AFTER: Readonly<Record<EndpointAnswer, (window: number) => number>> = {
  quick: (window) => Math.min(window + 1, MOST_TAKEN),
  // What it would take long for, another node may send.
  slow: (window) => (window > MOST_SENDING ? Math.floor(window / 2) : window + 1),
  failed: (window) => Math.max(Math.floor(window / 2), LEAST),
  unknown: (window) => window,
};

export interface EndpointWindows {
  /** Of each endpoint known here, how many more may be taken. */
  free(nowMs: number): { webhookIds: string[]; free: number[] };
  took(webhookId: string, maxPerSecond: number | null, nowMs: number): void;
  /** Does `work` when fewer than `MOST_SENDING` are at it; rejects with `NoTurn` when it does not come to that soon. */
  send<T>(webhookId: string, work: () => Promise<T>): Promise<T>;
  ended(webhookId: string, answer: EndpointAnswer): void;
}

/**
 * How much of each endpoint a node takes at a time. One that answers gets more and more; one that does not keeps a few
 * attempts busy, however much waits for it, so that it costs the others nothing.
 */
export function endpointWindows(): EndpointWindows {
  const endpoints = new Map<string, Endpoint>();
  return {
    free(nowMs) {
      const all = [...endpoints];
      return {
        webhookIds: all.map(([webhookId]) => webhookId),
        free: all.map(([, endpoint]) =>
          Math.max(0, Math.min(endpoint.window - endpoint.taken, allowanceOf(endpoint, nowMs))),
        ),
      };
    },
    took(webhookId, maxPerSecond, nowMs) {
      const endpoint = endpoints.get(webhookId) ?? newEndpoint(nowMs);
      endpoints.set(webhookId, endpoint);
      if (endpoint.maxPerSecond !== maxPerSecond)
        Object.assign(endpoint, { maxPerSecond, allowance: maxPerSecond ?? 0, at: nowMs });
      endpoint.taken++;
      endpoint.allowance--;
    },
    send(webhookId, work) {
      const endpoint = endpoints.get(webhookId);
      return endpoint ? inTurn(endpoint, work) : work();
    },
    ended(webhookId, answer) {
      const endpoint = endpoints.get(webhookId);
      if (!endpoint) return;
      endpoint.taken--;
      endpoint.window = AFTER[answer](endpoint.window);
      if (answer === 'failed') for (const { giveUp } of endpoint.waiting) giveUp();
      const { taken, maxPerSecond } = endpoint;
      if (taken === 0 && maxPerSecond === null && endpoints.size > MOST_KNOWN) endpoints.delete(webhookId);
    },
  };
}

const newEndpoint = (nowMs: number): Endpoint => ({
  window: FIRST,
  taken: 0,
  sending: 0,
  waiting: new Set(),
  maxPerSecond: null,
  allowance: 0,
  at: nowMs,
});

async function inTurn<T>(endpoint: Endpoint, work: () => Promise<T>): Promise<T> {
  if (endpoint.sending >= MOST_SENDING) await turnAt(endpoint);
  else endpoint.sending++;
  try {
    return await work();
  } finally {
    // Whoever waits takes the place over.
    const [next] = endpoint.waiting;
    if (next) next.go();
    else endpoint.sending--;
  }
}

/** The delivery was not sent, and is anybody's again. */
export class NoTurn extends Error {
  override name = 'NoTurn';
}

interface Waiting {
  go(): void;
  giveUp(): void;
}

/**
 * Whoever waits holds a hand, and knows the webhook as it was when the delivery was taken: so not for long, and not at an
 * endpoint that does not answer.
 */
async function turnAt({ waiting }: Endpoint): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const mine: Waiting = {
    go() {
      // At once, or whoever ends next would pick it again.
      waiting.delete(mine);
      resolve();
    },
    giveUp() {
      waiting.delete(mine);
      reject(new NoTurn());
    },
  };
  const late = setTimeout(mine.giveUp, WAITING_MS);
  waiting.add(mine);
  try {
    await promise;
  } finally {
    clearTimeout(late);
  }
}

/** What its rate permits: at most a second's worth at once. */
function allowanceOf(endpoint: Endpoint, nowMs: number): number {
  const { maxPerSecond, allowance, at } = endpoint;
  if (maxPerSecond === null) return Infinity;
  const gained = (Math.max(0, nowMs - at) / 1000) * maxPerSecond;
  Object.assign(endpoint, { allowance: Math.min(maxPerSecond, allowance + gained), at: nowMs });
  return Math.floor(endpoint.allowance);
}
