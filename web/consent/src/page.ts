import { createContext, useContext } from 'react';
import type { Api } from './api/api.ts';
import type { Evidence } from './evidence/evidence.ts';
import type { Journal } from './journal.ts';

/** What every screen may need; made once in main.tsx. */
export interface Page {
  api: Api;
  journal: Journal;
  evidence: Evidence;
  /** The service's address, without a trailing slash. */
  root: string;
}

const PageContext = createContext<Page | null>(null);
export const PageProvider = PageContext.Provider;

export function usePage(): Page {
  const page = useContext(PageContext);
  if (page === null) throw new Error('There is no page around this screen.');
  return page;
}
