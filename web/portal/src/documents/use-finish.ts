import { useRef, useState } from 'react';

/** Shows what has become of a list after an action on one of it, and says what was done. */
export type FinishAction = (done: string) => Promise<void>;

/** The pressed button goes with its question, or its card: the focus goes to the title of the list. */
export function useFinish(load: () => Promise<void>) {
  const [done, setDone] = useState<string | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const finish: FinishAction = async (text) => {
    await load();
    setDone(text);
    heading.current?.focus();
  };
  return { heading, done, finish };
}
