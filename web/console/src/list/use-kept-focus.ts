import { type RefObject, useEffect, useRef } from 'react';
import { focusRow } from '../kit/focus-row.ts';

/** Keeps the focus where it was in a list when what had it is gone, such as the row that was deleted: it goes to its place. */
export function useKeptFocus(region: RefObject<HTMLElement | null>): void {
  const place = useRef<number | null>(null);
  useEffect(() => {
    const element = region.current;
    const listRows = () => Array.from(element?.querySelectorAll<HTMLElement>('[data-row]') ?? []);
    const onFocus = ({ target }: FocusEvent) => {
      const row = target instanceof Element ? target.closest<HTMLElement>('[data-row]') : null;
      place.current = row === null ? null : listRows().indexOf(row);
    };
    // Whoever goes on to somewhere else by themselves is not brought back.
    const onLeave = ({ target, relatedTarget }: FocusEvent) => {
      if (relatedTarget !== null || (target instanceof Element && target.isConnected)) place.current = null;
    };
    element?.addEventListener('focusin', onFocus);
    element?.addEventListener('focusout', onLeave);
    const observer = new MutationObserver(() => {
      if (place.current === null || document.activeElement !== document.body) return;
      const rows = listRows();
      const row = rows[Math.min(place.current, rows.length - 1)];
      if (row) focusRow(row);
    });
    if (element) observer.observe(element, { childList: true, subtree: true });
    return () => {
      observer.disconnect();
      element?.removeEventListener('focusin', onFocus);
      element?.removeEventListener('focusout', onLeave);
    };
  }, [region]);
}
