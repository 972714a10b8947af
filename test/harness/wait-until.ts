import { setTimeout as sleep } from 'node:timers/promises';

/** Far longer than anything takes, on a machine whose cores are all busy: what has not come about by then never does. */
const GIVE_UP_MS = 300_000;

/** Waits until something holds; fails, and says what did not come about, instead of hanging. */
export async function waitUntil(
  what: string,
  holds: () => boolean | Promise<boolean>,
  pauseMs = 10,
): Promise<void> {
  const end = performance.now() + GIVE_UP_MS;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`it did not come about that ${what}`);
    await sleep(pauseMs);
  }
}
