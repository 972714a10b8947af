import { createContext, useContext } from 'react';

const BaseUrlContext = createContext<string | null>(null);
export const BaseUrlProvider = BaseUrlContext.Provider;

/** The service's address, without a trailing slash. */
export function useBaseUrl(): string {
  const baseUrl = useContext(BaseUrlContext);
  if (baseUrl === null) throw new Error('This screen has no BaseUrlProvider around it.');
  return baseUrl;
}
