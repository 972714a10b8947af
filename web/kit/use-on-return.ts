import { useEffect } from 'react';

/** When the person comes back to this tab, or to this page by the back button, much may be different. */
export function useOnReturn(onReturn: () => unknown): void {
  useEffect(() => {
    const onVisible = () => void (document.hidden || onReturn());
    // `persisted`: not when it is loaded, which asks anyway.
    const onShow = ({ persisted }: PageTransitionEvent) => void (persisted && onReturn());
    document.addEventListener('visibilitychange', onVisible);
    addEventListener('pageshow', onShow);
    return () => {
      document.removeEventListener('visibilitychange', onVisible);
      removeEventListener('pageshow', onShow);
    };
  }, [onReturn]);
}
