import { LRUCache } from 'lru-cache';
import type { Guard } from './guard.ts';
import type { ResolvedAddress } from './request.ts';
import type { Target } from './target.ts';

const MOST_NAMES = 1000;

export interface Passed {
  addresses: readonly ResolvedAddress[];
  /** The same for the same addresses in any order. */
  set: string;
}

interface Look {
  at: number;
  outcome: Passed | Promise<Passed>;
}

/**
 * What a guard says, each for whoever asks the same within so many milliseconds of the question: counted from there,
 * nobody waits long for a lookup that hangs. A no is for those who waited for it. No promise where it is known: reading
 * addresses costs 1 to 4 µs each.
 */
export function sharedGuard(
  guard: Guard,
  forMs: number,
): (target: Target, allowPrivate: boolean) => Passed | Promise<Passed> {
  const looks = new LRUCache<string, Look>({ max: MOST_NAMES });
  return (target, allowPrivate) => {
    const key = `${target.host} ${allowPrivate}`;
    const now = performance.now();
    const known = looks.get(key);
    if (known && now - known.at < forMs) return known.outcome;
    const outcome = guard(target, allowPrivate).then((addresses) => ({ addresses, set: setOf(addresses) }));
    const look: Look = { at: now, outcome };
    looks.set(key, look);
    outcome.then(
      (passed) => (look.outcome = passed),
      () => {
        if (looks.peek(key) === look) looks.delete(key);
      },
    );
    return outcome;
  };
}

const setOf = (addresses: readonly ResolvedAddress[]): string =>
  addresses
    .map(({ address }) => address)
    .sort()
    .join(' ');
