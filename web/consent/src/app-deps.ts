import { createContext, useContext } from 'react';
import type { KeptLink } from './account/kept-link.ts';
import type { ConsentApi } from './api.ts';
import type { Evidence } from './evidence/evidence.ts';
import type { InteractionLog } from './interaction-log.ts';

/** What every screen may need; made once in app.tsx. */
export interface AppDeps {
  api: ConsentApi;
  interactionLog: InteractionLog;
  evidence: Evidence;
  keptEmailLink: KeptLink;
}

const AppContext = createContext<AppDeps | null>(null);
export const AppProvider = AppContext.Provider;

export function useAppDeps(): AppDeps {
  const deps = useContext(AppContext);
  if (deps === null) throw new Error('This screen has no AppProvider around it.');
  return deps;
}
