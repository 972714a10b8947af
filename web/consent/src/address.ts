import { useCallback, useEffect, useState } from 'react';
import { type Route, routeOf } from './route.ts';
import { type Step, stepOf } from './step.ts';

export interface Address {
  route: Route;
  step: Step | null;
  /** One screen on; the back button leads here again. */
  go(step: Step): void;
  /** One screen back. */
  back(): void;
}

export function useAddress(): Address {
  const [place, setPlace] = useState(readPlace);
  useEffect(() => {
    const read = () => setPlace(readPlace());
    // Comes with every move through the history and with every changed fragment.
    addEventListener('popstate', read);
    return () => removeEventListener('popstate', read);
  }, []);
  const go = useCallback((step: Step) => {
    history.pushState(step, '');
    setPlace(({ route }) => ({ route, step }));
  }, []);
  return { ...place, go, back: goBack };
}

const goBack = () => history.back();

/** A token of a mailed link leaves the address bar, and so the history, as soon as it is read. */
function readPlace(): { route: Route; step: Step | null } {
  const route = routeOf(location.hash);
  if (route.to === 'mailed-link' && route.token !== null) history.replaceState(null, '', '#/account/link');
  return { route, step: stepOf(history.state) };
}
