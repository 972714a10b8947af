import { withDeadline, abortable } from './deadline.ts';
import { sendRequest } from './send-request.ts';
import { createGuard, type GuardOptions } from './guard.ts';
import type { OutboundResponse, OutboundRequest } from './request.ts';
import { parseTarget } from './target.ts';

export interface OutboundClient {
  /** Throws `OutboundRefusedError` when the guard says no, `OutboundFailedError` when the network or the other side does. */
  request(request: OutboundRequest): Promise<OutboundResponse>;
}

interface Options extends GuardOptions {
  /** PEM; in place of the system's authorities. */
  ca?: string;
}

/**
 * Requests to addresses that others name. A name is resolved once, every address it has must pass, and only what was
 * checked is connected to, so no second DNS answer can lead elsewhere. A `lookup` alone would not do: node never asks
 * it for literal addresses. No proxy is used: it would resolve the name anew.
 */
export function createOutboundClient({ ca, ...options }: Options = {}): OutboundClient {
  const checkTarget = createGuard(options);
  return {
    async request(request) {
      const allowPrivate = request.allowPrivate ?? false;
      const target = parseTarget(request.url, allowPrivate);
      return withDeadline(request, async (signal) => {
        const addresses = await abortable(signal, checkTarget(target, allowPrivate));
        return sendRequest(request, { target, addresses, ca, signal });
      });
    },
  };
}
