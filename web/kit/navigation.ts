import { useCallback, useEffect, useState } from 'react';

export interface Navigation<Route, Step> {
  /** What the fragment of the address names. */
  route: Route;
  /** Where the person is within the route, as the browser's history keeps it. */
  step: Step | null;
  /** Goes one screen on; the back button leads here again. */
  go(step: Step): void;
  /** Goes one screen back. */
  back(): void;
  /** Changes what the history keeps of this screen; the screen stays. */
  replace(step: Step): void;
}

export type StepNavigation<Step> = Omit<Navigation<unknown, Step>, 'route'>;

/** `readLocation` must be the same function on each render. */
export function useNavigation<Route, Step>(
  readLocation: () => { route: Route; step: Step | null },
): Navigation<Route, Step> {
  const [current, setCurrent] = useState(readLocation);
  useEffect(() => {
    const read = () => setCurrent(readLocation());
    // Comes with every move through the history and with every changed fragment.
    addEventListener('popstate', read);
    return () => removeEventListener('popstate', read);
  }, [readLocation]);
  const go = useCallback((step: Step) => {
    history.pushState(step, '');
    setCurrent(({ route }) => ({ route, step }));
  }, []);
  const replace = useCallback((step: Step) => {
    history.replaceState(step, '');
    setCurrent(({ route }) => ({ route, step }));
  }, []);
  return { ...current, go, replace, back: goBack };
}

const goBack = () => history.back();
