/** A question that stands over the page until a person has answered it; whoever asks meanwhile waits for the same answer. */
export interface Prompt {
  ask(): Promise<boolean>;
  answer(done: boolean): void;
  isOpen(): boolean;
  subscribe(onChange: () => void): () => void;
}

export function createPrompt(): Prompt {
  let pending: { promise: Promise<boolean>; resolve(done: boolean): void } | null = null;
  const listeners = new Set<() => void>();
  const notify = () => listeners.forEach((onChange) => onChange());
  return {
    ask() {
      if (pending === null) {
        pending = Promise.withResolvers<boolean>();
        notify();
      }
      return pending.promise;
    },
    answer(done) {
      pending?.resolve(done);
      pending = null;
      notify();
    },
    isOpen: () => pending !== null,
    subscribe(onChange) {
      listeners.add(onChange);
      return () => void listeners.delete(onChange);
    },
  };
}
