import { useCallback, useEffect, useRef, useState } from 'react';
import type { KeptFile } from '../../api/api.ts';
import { usePage } from '../../page.ts';
import { useMine, type Mine } from '../use-mine.ts';

const PAGE = 50;

interface Older {
  files: readonly KeptFile[];
  next: string | null;
}

/** The files that are kept as they came, page by page; asked for anew when another upload has been `read`. */
export function useKeptFiles(mine: Mine, read: number) {
  const { api } = usePage();
  const ask = useCallback(() => api.documents({ limit: PAGE }), [api]);
  const { asked, load } = useMine(ask, mine);
  const [older, setOlder] = useState<Older | null>(null);
  const before = useRef(read);
  useEffect(() => {
    if (before.current === read) return;
    before.current = read;
    setOlder(null);
    void load();
  }, [read, load]);
  const more = async (from: string): Promise<number> => {
    const { results, next } = await api.documents({ limit: PAGE, before: from });
    setOlder((older) => ({ files: [...(older?.files ?? []), ...results], next }));
    return results.length;
  };
  return { asked, load, older, more };
}
