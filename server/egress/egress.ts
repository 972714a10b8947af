import { ending, unlessAborted } from './ending.ts';
import { exchange } from './exchange.ts';
import { guard, type GuardOptions } from './guard.ts';
import type { EgressAnswer, EgressRequest } from './request.ts';
import { targetOf } from './target.ts';

export interface Egress {
  /** Throws `EgressRefused` when the guard says no, `EgressFailed` when the network or the other side does. */
  request(request: EgressRequest): Promise<EgressAnswer>;
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
export function egress({ ca, ...options }: Options = {}): Egress {
  const checked = guard(options);
  return {
    async request(request) {
      const allowPrivate = request.allowPrivate ?? false;
      const target = targetOf(request.url, allowPrivate);
      return ending(request, async (signal) => {
        const addresses = await unlessAborted(signal, checked(target, allowPrivate));
        return exchange(request, { target, addresses, ca, signal });
      });
    },
  };
}
