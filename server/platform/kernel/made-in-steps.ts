import { setImmediate } from 'node:timers/promises';

/** Something that takes long to make, and is made once. */
export interface MadeInSteps<T> {
  /** What it is; makes it, or what is left of it, at once where nobody did before. */
  get(): T;
  /** Makes it step by step, with a turn of the event loop for others after each. */
  prepare(): Promise<void>;
}

/** `make` yields after some milliseconds each; what fails is made anew for whoever asks next. */
export function createInSteps<T>(make: () => Generator<void, T>): MadeInSteps<T> {
  let made: { value: T } | null = null;
  let steps: Generator<void, T> | null = null;
  const step = (): { value: T } | null => {
    if (made !== null) return made;
    try {
      const { done, value } = (steps ??= make()).next();
      if (done === true) made = { value };
      if (done === true) steps = null;
    } catch (error) {
      steps = null;
      throw error;
    }
    return made;
  };
  return {
    get() {
      for (;;) {
        const result = step();
        if (result !== null) return result.value;
      }
    },
    async prepare() {
      while (step() === null) await setImmediate();
    },
  };
}
