import { useCallback, useEffect, useState } from 'react';
import { type Route, parseRoute } from './route.ts';
import { type Step, parseStep } from './step.ts';

export interface Navigation {
  route: Route;
  step: Step | null;
  /** One screen on; the back button leads here again. */
  go(step: Step): void;
  /** One screen back. */
  back(): void;
}

export function useNavigation(): Navigation {
  const [current, setCurrent] = useState(readLocation);
  useEffect(() => {
    const read = () => setCurrent(readLocation());
    // Comes with every move through the history and with every changed fragment.
    addEventListener('popstate', read);
    return () => removeEventListener('popstate', read);
  }, []);
  const go = useCallback((step: Step) => {
    history.pushState(step, '');
    setCurrent(({ route }) => ({ route, step }));
  }, []);
  return { ...current, go, back: goBack };
}

const goBack = () => history.back();

/** A token of a mailed link leaves the address bar, and so the history, as soon as it is read. */
function readLocation(): { route: Route; step: Step | null } {
  const route = parseRoute(location.hash);
  if (route.to === 'mailed-link' && route.token !== null) history.replaceState(null, '', '#/account/link');
  return { route, step: parseStep(history.state) };
}
