import { useCallback, useEffect, useRef, useState } from 'react';
import type { OriginalFile } from '../../api/api.ts';
import { useAppDeps } from '../../app-deps.ts';
import { useQuery, type PersonProps } from '../use-query.ts';

const PAGE_SIZE = 50;

interface OlderFiles {
  files: readonly OriginalFile[];
  next: string | null;
}

/** The files that are kept as they came, page by page; asked for anew when another upload has been `read`. */
export function useOriginalFiles(personProps: PersonProps, finishedCount: number) {
  const { api } = useAppDeps();
  const fetchFiles = useCallback(() => api.listMyDocuments({ limit: PAGE_SIZE }), [api]);
  const { asked: query, load } = useQuery(fetchFiles, personProps);
  const [older, setOlder] = useState<OlderFiles | null>(null);
  const previousCount = useRef(finishedCount);
  useEffect(() => {
    if (previousCount.current === finishedCount) return;
    previousCount.current = finishedCount;
    setOlder(null);
    void load();
  }, [finishedCount, load]);
  const loadMore = async (from: string): Promise<number> => {
    const { results, next } = await api.listMyDocuments({ limit: PAGE_SIZE, before: from });
    setOlder((older) => ({ files: [...(older?.files ?? []), ...results], next }));
    return results.length;
  };
  return { asked: query, load, older, more: loadMore };
}
