import { useCallback, useEffect, useRef, useState } from 'react';
import type { Interaction } from '../api/api.ts';
import { type Trouble, troubleOf } from '../api/refusal.ts';
import { usePage } from '../page.ts';
import { useReturn } from '../use-return.ts';

export type Asked =
  | { state: 'loading' }
  | { state: 'troubled'; trouble: Trouble }
  | { state: 'known'; interaction: Interaction };

interface Asking {
  asked: Asked;
  /** From the service; what stops the request becomes the screen. */
  load(): Promise<void>;
  /** The same, but an unreachable service changes nothing: tells whether it answered. */
  refresh(): Promise<boolean>;
  settle(asked: Asked): void;
}

/** All that the screens of a request know, they know from here: a reload or a second tab shows the same. */
export function useInteraction(requestId: string): Asking {
  const { api } = usePage();
  const [asked, setAsked] = useState<Asked>({ state: 'loading' });
  /** An answer that was overtaken by a newer one says nothing any more. */
  const newest = useRef(0);

  const settle = useCallback((asked: Asked) => {
    newest.current += 1;
    setAsked(asked);
  }, []);
  const ask = useCallback(
    async (keepWhatIsShown: boolean): Promise<boolean> => {
      const turn = ++newest.current;
      const answer = await api.interaction(requestId).then(
        (interaction): Asked => ({ state: 'known', interaction }),
        (error: unknown): Asked => ({ state: 'troubled', trouble: troubleOf(error) }),
      );
      const passing = answer.state === 'troubled' && PASSING.has(answer.trouble.kind);
      if (turn === newest.current && !(keepWhatIsShown && passing)) setAsked(answer);
      return !passing;
    },
    [api, requestId],
  );
  const load = useCallback(async () => void (await ask(false)), [ask]);
  const refresh = useCallback(async () => ask(true), [ask]);

  useEffect(() => void load(), [load]);
  useReturn(refresh);
  return { asked, load, refresh, settle };
}

const PASSING: ReadonlySet<Trouble['kind']> = new Set(['unreachable', 'throttled']);
