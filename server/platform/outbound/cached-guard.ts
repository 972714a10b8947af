import { LRUCache } from 'lru-cache';
import type { Guard } from './guard.ts';
import type { ResolvedAddress } from './request.ts';
import type { Target } from './target.ts';

const MAX_NAMES = 1000;

export interface PermittedAddresses {
  addresses: readonly ResolvedAddress[];
  /** The same for the same addresses in any order. */
  addressKey: string;
}

interface CachedCheck {
  at: number;
  outcome: PermittedAddresses | Promise<PermittedAddresses>;
}

/**
 * What a guard says, each for whoever asks the same within so many milliseconds of the question: counted from there,
 * nobody waits long for a lookup that hangs. A no is for those who waited for it. No promise where it is known: reading
 * addresses costs 1 to 4 µs each.
 */
export function createCachedGuard(
  guard: Guard,
  ttlMs: number,
): (target: Target, allowPrivate: boolean) => PermittedAddresses | Promise<PermittedAddresses> {
  const checks = new LRUCache<string, CachedCheck>({ max: MAX_NAMES });
  return (target, allowPrivate) => {
    const key = `${target.host} ${allowPrivate}`;
    const now = performance.now();
    const known = checks.get(key);
    if (known && now - known.at < ttlMs) return known.outcome;
    const outcome = guard(target, allowPrivate).then((addresses) => ({
      addresses,
      addressKey: toAddressKey(addresses),
    }));
    const check: CachedCheck = { at: now, outcome };
    checks.set(key, check);
    outcome.then(
      (permitted) => (check.outcome = permitted),
      () => {
        if (checks.peek(key) === check) checks.delete(key);
      },
    );
    return outcome;
  };
}

const toAddressKey = (addresses: readonly ResolvedAddress[]): string =>
  addresses
    .map(({ address }) => address)
    .sort()
    .join(' ');
