import { useCallback } from 'react';
import { useAppDeps } from '../app-deps.ts';
import { type PersonProps, usePersonPages } from '../person-query.ts';
import { indexDecisions } from './decisions.ts';

/** The access log page by page, with the receipts that distinguish a first decision from a change, and what happened to the account. */
export function useAccessLog(props: PersonProps, limit: number) {
  const { api } = useAppDeps();
  const fetchPage = useCallback(
    async (before?: string) => {
      const [page, { receipts }, { events }] = await Promise.all([
        api.getMyAccessLog({ limit, before }),
        api.listMyReceipts(),
        api.listAccountEvents(),
      ]);
      return { ...page, decisions: indexDecisions(receipts), events };
    },
    [api, limit],
  );
  return usePersonPages(fetchPage, props);
}
