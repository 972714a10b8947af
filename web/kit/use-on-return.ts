import { useEffect } from 'react';

/** Calls `onReturn` when the person comes back to this tab, or to this page by the back button. */
export function useOnReturn(onReturn: () => unknown): void {
  useEffect(() => {
    const onVisible = () => void (document.hidden || onReturn());
    // Without `persisted` the page was loaded, which asks anyway.
    const onShow = ({ persisted }: PageTransitionEvent) => void (persisted && onReturn());
    document.addEventListener('visibilitychange', onVisible);
    addEventListener('pageshow', onShow);
    return () => {
      document.removeEventListener('visibilitychange', onVisible);
      removeEventListener('pageshow', onShow);
    };
  }, [onReturn]);
}
