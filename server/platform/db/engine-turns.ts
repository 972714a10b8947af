/** Who wants the engine: an import, in its thread, or whoever else. */
export interface EngineUser {
  isImport: boolean;
}

export interface EngineTurns {
  /** Returns who has the next turn, or for how many milliseconds the imports that wait are held back, if nobody else comes. */
  choose<User extends EngineUser>(ready: readonly User[]): User | number;
  /** Counts a statement that has ended. `isFirst`: it began a turn, which a transaction keeps until its end. */
  count(user: EngineUser, ms: number, isFirst: boolean): void;
}

/** A call sends its next statement within this time of the answer to the last one. */
const PAUSE_MS = 5;

/**
 * Gives the engine to imports half of the time at most while others want it: after a turn of an import, which cannot be
 * interrupted, the others have as long. A call has some four statements, and each of them waited for a turn of the import.
 */
export function createEngineTurns(readMs: () => number): EngineTurns {
  let owedMs = 0;
  let lastOtherAt = Number.NEGATIVE_INFINITY;
  return {
    choose(ready) {
      const [first] = ready;
      if (!first || owedMs <= 0) return first ?? 0;
      const pauseMs = lastOtherAt + PAUSE_MS - readMs();
      return ready.find(({ isImport }) => !isImport) ?? (pauseMs > 0 ? pauseMs : first);
    },
    count({ isImport }, ms, isFirst) {
      if (!isImport) {
        owedMs -= ms;
        lastOtherAt = readMs();
      } else owedMs = isFirst ? ms : owedMs + ms;
    },
  };
}
