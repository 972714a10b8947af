import { useCallback, useEffect, useState } from 'react';
import type { LogEntry } from '../../api/api.ts';
import { type Trouble, troubleOf } from '../../api/refusal.ts';
import { usePage } from '../../page.ts';
import type { Mine } from '../use-mine.ts';
import { decisionKinds, type DecisionKind } from './decisions.ts';

interface Log {
  entries: readonly LogEntry[];
  decisions: ReadonlyMap<string, DecisionKind>;
  /** Where the next page begins; null where there is none. */
  next: string | null;
}

type Asked = { state: 'loading' } | { state: 'troubled'; trouble: Trouble } | ({ state: 'known' } & Log);

/** The access log page by page, with what tells a decision from its change. */
export function useLog({ person, reload }: Mine, limit: number) {
  const { api } = usePage();
  const [log, setLog] = useState<Asked>({ state: 'loading' });
  const load = useCallback(async () => {
    await Promise.all([api.accessLog({ limit }), api.receipts()]).then(
      ([{ results, next }, { receipts }]) =>
        setLog({ state: 'known', entries: results, next, decisions: decisionKinds(receipts) }),
      async (error: unknown) => {
        const trouble = troubleOf(error);
        if (trouble.kind === 'signed-out') await reload();
        else setLog({ state: 'troubled', trouble });
      },
    );
  }, [api, limit, reload]);
  // A new `person` is the same one, told again.
  // oxlint-disable-next-line react/exhaustive-effect-dependencies
  useEffect(() => void load(), [load, person]);
  const more = async (before: string): Promise<number> => {
    const { results, next } = await api.accessLog({ limit, before });
    setLog((log) => (log.state === 'known' ? { ...log, entries: [...log.entries, ...results], next } : log));
    return results.length;
  };
  return { log, load, more };
}
