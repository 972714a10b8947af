import { setImmediate } from 'node:timers/promises';

/** Some milliseconds of comparing: then whoever else waits has a turn. */
const ITEMS_PER_TURN = 500;

/** All of them, letting others go on in between: a record of 25,000 entries is compared for seconds. */
export async function* iterateInTurns<T>(all: Iterable<T>): AsyncGenerator<T> {
  let count = 0;
  for (const each of all) {
    if (++count % ITEMS_PER_TURN === 0) await setImmediate();
    yield each;
  }
}
