import { useCallback, useEffect, useState } from 'react';
import type { LogEntry } from '../../api/api.ts';
import { type Failure, toFailure } from '../../api/refusal.ts';
import { useAppDeps } from '../../app-deps.ts';
import type { PersonProps } from '../use-query.ts';
import { classifyDecisions, type DecisionKind } from './decisions.ts';

interface AccessLog {
  entries: readonly LogEntry[];
  decisions: ReadonlyMap<string, DecisionKind>;
  /** Where the next page begins; null where there is none. */
  next: string | null;
}

type AccessLogState =
  | { state: 'loading' }
  | { state: 'troubled'; failure: Failure }
  | ({ state: 'known' } & AccessLog);

/** The access log page by page, with what tells a decision from its change. */
export function useAccessLog({ person, reload }: PersonProps, limit: number) {
  const { api } = useAppDeps();
  const [log, setLog] = useState<AccessLogState>({ state: 'loading' });
  const load = useCallback(async () => {
    await Promise.all([api.getMyAccessLog({ limit }), api.listMyReceipts()]).then(
      ([{ results, next }, { receipts }]) =>
        setLog({ state: 'known', entries: results, next, decisions: classifyDecisions(receipts) }),
      async (error: unknown) => {
        const failure = toFailure(error);
        if (failure.kind === 'signed-out') await reload();
        else setLog({ state: 'troubled', failure });
      },
    );
  }, [api, limit, reload]);
  // A new `person` is the same one, told again.
  // oxlint-disable-next-line react/exhaustive-effect-dependencies
  useEffect(() => void load(), [load, person]);
  const loadMore = async (before: string): Promise<number> => {
    const { results, next } = await api.getMyAccessLog({ limit, before });
    setLog((log) => (log.state === 'known' ? { ...log, entries: [...log.entries, ...results], next } : log));
    return results.length;
  };
  return { log, load, more: loadMore };
}
