import { useState } from 'react';
import { useConsole } from '../api/use-console.ts';

const STORAGE_KEY = 'chartgate-console-columns';

type Hidden = Readonly<Record<string, readonly string[]>>;

/**
 * The columns of a list that are hidden, by their names, and the way to change them: what a member has chosen in this browser,
 * else those that are hidden at first.
 */
export function useHiddenColumns(
  list: string,
  atFirst: readonly string[],
): [ReadonlySet<string>, (hidden: ReadonlySet<string>) => void] {
  const { member } = useConsole();
  const key = `${STORAGE_KEY}-${member.id}`;
  const [all, setAll] = useState(() => loadHidden(key));
  const hide = (hidden: ReadonlySet<string>) => {
    const { [list]: _before, ...others } = loadHidden(key);
    const isAsAtFirst = hidden.symmetricDifference(new Set(atFirst)).size === 0;
    const changed = isAsAtFirst ? others : { ...others, [list]: [...hidden] };
    saveHidden(key, changed);
    setAll(changed);
  };
  return [new Set(all[list] ?? atFirst), hide];
}

// A browser may refuse its storage altogether, and hold what somebody else wrote.
function loadHidden(key: string): Hidden {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? '{}');
    return typeof kept === 'object' && kept !== null
      ? Object.fromEntries(Object.entries(kept).filter(([, names]) => Array.isArray(names)))
      : {};
  } catch {
    return {};
  }
}

function saveHidden(key: string, hidden: Hidden): void {
  try {
    localStorage.setItem(key, JSON.stringify(hidden));
  } catch {
    // They are hidden as long as the page is open.
  }
}
