import { useNavigate, useSearch as useRouterSearch } from '@tanstack/react-router';
import { useCallback } from 'react';

export type Search = Readonly<Record<string, string | undefined>>;
export type ChangeSearch = (change: Search, options?: { replace?: boolean }) => void;

/**
 * The query of the address, which holds every filter, tab and open row, so that each is a link that a colleague can open.
 * A change leaves the other parameters; undefined or '' takes one out.
 */
export function useSearch(): [Search, ChangeSearch] {
  const search: Search = useRouterSearch({ strict: false });
  const navigate = useNavigate();
  const change = useCallback<ChangeSearch>(
    (changed, { replace = false } = {}) => {
      const apply = (before: Search) =>
        Object.fromEntries(
          Object.entries({ ...before, ...changed }).filter(
            ([, value]) => value !== undefined && value !== '',
          ),
        );
      void navigate({ to: '.', search: apply, replace, resetScroll: false });
    },
    [navigate],
  );
  return [search, change];
}

/** The project that the switcher chose; null: all of them. */
export const useProjectId = (): string | null => useSearch()[0]['project'] ?? null;
