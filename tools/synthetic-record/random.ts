export interface Random {
  /** From 0, below 1. */
  next(): number;
  between(low: number, high: number): number;
  integer(low: number, high: number): number;
  chance(probability: number): boolean;
  pick<T>(list: readonly T[]): T;
  /** Bell-shaped around 0, never further than three spreads. */
  deviation(spread: number): number;
}

/**
 * A stream of its own for every topic, so that what one visit draws never shifts what the next one gets.
 */
export function createRandom(seed: number, topic: string): Random {
  const next = mulberry32(fnv1a(`${seed}/${topic}`));
  const integer = (low: number, high: number) => low + Math.floor(next() * (high - low + 1));
  return {
    next,
    integer,
    between: (low, high) => low + next() * (high - low),
    chance: (probability) => next() < probability,
    pick<T>(list: readonly T[]): T {
      const picked = list[integer(0, list.length - 1)];
      if (picked === undefined) throw new RangeError('nothing to pick from an empty list');
      return picked;
    },
    // Three uniform numbers have a standard deviation of 0.5: doubled, the spread is one.
    deviation: (spread) => (next() + next() + next() - 1.5) * 2 * spread,
  };
}

function mulberry32(state: number): () => number {
  let a = state;
  return () => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), a | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash | 0;
}
