import { createContext, useContext } from 'react';
import type { PortalApi } from './api.ts';

/** What every part of the portal may need; made once in app.tsx. */
export interface AppDeps {
  api: PortalApi;
  /** The service's address, without a trailing slash. */
  baseUrl: string;
}

const AppContext = createContext<AppDeps | null>(null);
export const AppProvider = AppContext.Provider;

export function useAppDeps(): AppDeps {
  const deps = useContext(AppContext);
  if (deps === null) throw new Error('This screen has no AppProvider around it.');
  return deps;
}
