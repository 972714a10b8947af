import { setImmediate } from 'node:timers/promises';

/** A few milliseconds of work: then other work of the event loop has a turn. */
const ITEMS_PER_TURN = 500;

/** Iterates with pauses for the event loop: comparing a record of 25,000 entries takes seconds. */
export async function* iterateInTurns<T>(all: Iterable<T>): AsyncGenerator<T> {
  let count = 0;
  for (const each of all) {
    if (++count % ITEMS_PER_TURN === 0) await setImmediate();
    yield each;
  }
}
