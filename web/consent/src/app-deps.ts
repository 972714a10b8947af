import { createContext, useContext } from 'react';
import type { Api } from './api/api.ts';
import type { Evidence } from './evidence/evidence.ts';
import type { InteractionLog } from './interaction-log.ts';

/** What every screen may need; made once in main.tsx. */
export interface AppDeps {
  api: Api;
  interactionLog: InteractionLog;
  evidence: Evidence;
  /** The service's address, without a trailing slash. */
  baseUrl: string;
}

const AppContext = createContext<AppDeps | null>(null);
export const AppProvider = AppContext.Provider;

export function useAppDeps(): AppDeps {
  const deps = useContext(AppContext);
  if (deps === null) throw new Error('There is no page around this screen.');
  return deps;
}
