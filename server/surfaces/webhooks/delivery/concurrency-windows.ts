/** Attempts at a time to one endpoint from this node; the connection pool keeps as many connections. */
export const MAX_CONCURRENT_SENDS = 16;

/** Deliveries of one endpoint claimed at a time: those that wait fill the time that claims and results take. */
export const MAX_WINDOW = 16 * MAX_CONCURRENT_SENDS;

/** The window of an endpoint that nothing is known about. */
export const INITIAL_WINDOW = 4;
/** The window of an endpoint that fails. */
export const MIN_WINDOW = 2;

/** The longest wait for a slot. */
const SLOT_TIMEOUT_MS = 500;

/** Endpoints that are remembered while nothing is claimed for them. */
const MAX_IDLE_ENDPOINTS = 1000;

interface Endpoint {
  /** How many deliveries may be claimed. */
  window: number;
  claimed: number;
  sending: number;
  /** Deliveries that wait for a slot. */
  waiters: Set<Waiter>;
  /** This process' share of what the node may send. */
  maxPerSecond: number | null;
  /** Attempts that the rate limit permits by now. */
  tokens: number;
  /** When `tokens` was computed, milliseconds. */
  refilledAt: number;
}

/** `unknown`: nothing was learned about the endpoint. */
export type EndpointFeedback = 'quick' | 'slow' | 'failed' | 'unknown';

const NEXT_WINDOW: Readonly<Record<EndpointFeedback, (window: number) => number>> = {
  quick: (window) => Math.min(window + 1, MAX_WINDOW),
  // Above the send limit a slow endpoint's deliveries only wait here; another node may send them.
  slow: (window) => (window > MAX_CONCURRENT_SENDS ? Math.floor(window / 2) : window + 1),
  failed: (window) => Math.max(Math.floor(window / 2), MIN_WINDOW),
  unknown: (window) => window,
};

export interface ConcurrencyWindows {
  /** Returns for each known endpoint how many more deliveries may be claimed. */
  getFreeSlots(nowMs: number): { webhookIds: string[]; free: number[] };
  onClaimed(webhookId: string, maxPerSecond: number | null, nowMs: number): void;
  /** Runs `work` when fewer than `MAX_CONCURRENT_SENDS` are under way; rejects with `SlotTimeout` when no slot is free soon. */
  send<T>(webhookId: string, work: () => Promise<T>): Promise<T>;
  onSettled(webhookId: string, feedback: EndpointFeedback): void;
}

/**
 * Decides how many deliveries of each endpoint a node claims at a time (additive increase, multiplicative decrease). The
 * window of an endpoint that answers grows; one that does not occupies a few attempts, however long its backlog, so that it
 * costs the others nothing. Of a limit per second each of the node's `processes` takes its share.
 */
export function createConcurrencyWindows(processes = 1): ConcurrencyWindows {
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
    onClaimed(webhookId, nodeMaxPerSecond, nowMs) {
      const maxPerSecond = nodeMaxPerSecond === null ? null : nodeMaxPerSecond / processes;
      const endpoint = endpoints.get(webhookId) ?? createEndpoint(nowMs);
      endpoints.set(webhookId, endpoint);
      if (endpoint.maxPerSecond !== maxPerSecond)
        Object.assign(endpoint, { maxPerSecond, tokens: Math.max(1, maxPerSecond ?? 0), refilledAt: nowMs });
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
    // A waiting delivery takes the slot over.
    const [next] = endpoint.waiters;
    if (next) next.proceed();
    else endpoint.sending--;
  }
}

/** The delivery was not sent; any node may claim it again. */
export class SlotTimeout extends Error {
  override name = 'SlotTimeout';
}

interface Waiter {
  proceed(): void;
  abandon(): void;
}

/**
 * Waits for a slot. A waiting delivery occupies a worker and knows the webhook as it was at the claim: so it does not wait
 * for long, and not for an endpoint that does not answer.
 */
async function acquireSlot({ waiters }: Endpoint): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const waiter: Waiter = {
    proceed() {
      // Removed at once, or the next finished attempt would pick this waiter again.
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

/** Refills the tokens of the rate limit, at most a second's worth or one, and returns how many there are. */
function refillTokens(endpoint: Endpoint, nowMs: number): number {
  const { maxPerSecond, tokens, refilledAt } = endpoint;
  if (maxPerSecond === null) return Infinity;
  const refilled = (Math.max(0, nowMs - refilledAt) / 1000) * maxPerSecond;
  Object.assign(endpoint, {
    tokens: Math.min(Math.max(1, maxPerSecond), tokens + refilled),
    refilledAt: nowMs,
  });
  return Math.floor(endpoint.tokens);
}
