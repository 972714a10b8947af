/** Attempts at a time to one endpoint from this node, as many as connections are kept. */
export const MAX_CONCURRENT_SENDS = 16;

/** Taken at a time of one endpoint: what waits fills the time that claims and results need. */
export const MAX_WINDOW = 16 * MAX_CONCURRENT_SENDS;

/** Taken of an endpoint that nothing is known of; and of one that fails. */
export const INITIAL_WINDOW = 4;
export const MIN_WINDOW = 2;

/** Longest wait for a turn. */
const SLOT_TIMEOUT_MS = 500;

/** Endpoints remembered without anything to do. */
const MAX_IDLE_ENDPOINTS = 1000;

interface Endpoint {
  /** How many may be taken. */
  window: number;
  claimed: number;
  sending: number;
  /** For their turn to send. */
  waiters: Set<Waiter>;
  maxPerSecond: number | null;
  /** Attempts that its rate permits by now. */
  tokens: number;
  /** Milliseconds, when that was reckoned. */
  refilledAt: number;
}

/** `unknown`: nothing was learned of the endpoint. */
export type EndpointFeedback = 'quick' | 'slow' | 'failed' | 'unknown';

const NEXT_WINDOW: Readonly<Record<EndpointFeedback, (window: number) => number>> = {
  quick: (window) => Math.min(window + 1, MAX_WINDOW),
  // What it would take long for, another node may send.
  slow: (window) => (window > MAX_CONCURRENT_SENDS ? Math.floor(window / 2) : window + 1),
  failed: (window) => Math.max(Math.floor(window / 2), MIN_WINDOW),
  unknown: (window) => window,
};

export interface ConcurrencyWindows {
  /** Of each endpoint known here, how many more may be taken. */
  getFreeSlots(nowMs: number): { webhookIds: string[]; free: number[] };
  onClaimed(webhookId: string, maxPerSecond: number | null, nowMs: number): void;
  /** Does `work` when fewer than `MOST_SENDING` are at it; rejects with `NoTurn` when it does not come to that soon. */
  send<T>(webhookId: string, work: () => Promise<T>): Promise<T>;
  onSettled(webhookId: string, feedback: EndpointFeedback): void;
}

/**
 * How much of each endpoint a node takes at a time. One that answers gets more and more; one that does not keeps a few
 * attempts busy, however much waits for it, so that it costs the others nothing.
 */
export function createConcurrencyWindows(): ConcurrencyWindows {
  const endpoints = new Map<string, Endpoint>();
  return {
    getFreeSlots(nowMs) {
      const all = [...endpoints];
      return {
        webhookIds: all.map(([webhookId]) => webhookId),
        free: all.map(([, endpoint]) =>
          Math.max(0, Math.min(endpoint.window - endpoint.claimed, refillTokens(endpoint, nowMs))),
        ),
      };
    },
    onClaimed(webhookId, maxPerSecond, nowMs) {
      const endpoint = endpoints.get(webhookId) ?? createEndpoint(nowMs);
      endpoints.set(webhookId, endpoint);
      if (endpoint.maxPerSecond !== maxPerSecond)
        Object.assign(endpoint, { maxPerSecond, tokens: maxPerSecond ?? 0, refilledAt: nowMs });
      endpoint.claimed++;
      endpoint.tokens--;
    },
    send(webhookId, work) {
      const endpoint = endpoints.get(webhookId);
      return endpoint ? withSlot(endpoint, work) : work();
    },
    onSettled(webhookId, feedback) {
      const endpoint = endpoints.get(webhookId);
      if (!endpoint) return;
      endpoint.claimed--;
      endpoint.window = NEXT_WINDOW[feedback](endpoint.window);
      if (feedback === 'failed') for (const { abandon } of endpoint.waiters) abandon();
      const { claimed, maxPerSecond } = endpoint;
      if (claimed === 0 && maxPerSecond === null && endpoints.size > MAX_IDLE_ENDPOINTS)
        endpoints.delete(webhookId);
    },
  };
}

const createEndpoint = (nowMs: number): Endpoint => ({
  window: INITIAL_WINDOW,
  claimed: 0,
  sending: 0,
  waiters: new Set(),
  maxPerSecond: null,
  tokens: 0,
  refilledAt: nowMs,
});

async function withSlot<T>(endpoint: Endpoint, work: () => Promise<T>): Promise<T> {
  if (endpoint.sending >= MAX_CONCURRENT_SENDS) await acquireSlot(endpoint);
  else endpoint.sending++;
  try {
    return await work();
  } finally {
    // Whoever waits takes the place over.
    const [next] = endpoint.waiters;
    if (next) next.proceed();
    else endpoint.sending--;
  }
}

/** The delivery was not sent, and is anybody's again. */
export class SlotTimeout extends Error {
  override name = 'SlotTimeout';
}

interface Waiter {
  proceed(): void;
  abandon(): void;
}

/**
 * Whoever waits holds a hand, and knows the webhook as it was when the delivery was taken: so not for long, and not at an
 * endpoint that does not answer.
 */
async function acquireSlot({ waiters }: Endpoint): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const waiter: Waiter = {
    proceed() {
      // At once, or whoever ends next would pick it again.
      waiters.delete(waiter);
      resolve();
    },
    abandon() {
      waiters.delete(waiter);
      reject(new SlotTimeout());
    },
  };
  const timeout = setTimeout(waiter.abandon, SLOT_TIMEOUT_MS);
  waiters.add(waiter);
  try {
    await promise;
  } finally {
    clearTimeout(timeout);
  }
}

/** What its rate permits: at most a second's worth at once. */
function refillTokens(endpoint: Endpoint, nowMs: number): number {
  const { maxPerSecond, tokens, refilledAt } = endpoint;
  if (maxPerSecond === null) return Infinity;
  const refilled = (Math.max(0, nowMs - refilledAt) / 1000) * maxPerSecond;
  Object.assign(endpoint, { tokens: Math.min(maxPerSecond, tokens + refilled), refilledAt: nowMs });
  return Math.floor(endpoint.tokens);
}
