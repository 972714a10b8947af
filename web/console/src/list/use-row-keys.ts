import { type RefObject, useEffect } from 'react';
import { isTyping } from '../kit/is-typing.ts';

/** `j` and `k` take the focus to the next and the previous row of the list, whose link Enter follows; `f` to its filters. */
export function useRowKeys(region: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (isTyping(event)) return;
      const step = event.key === 'j' ? 1 : event.key === 'k' ? -1 : 0;
      if (step !== 0) moveFocus(region.current, step);
      if (event.key === 'f') document.querySelector<HTMLElement>('.filters input, .filters select')?.focus();
      if (step !== 0 || event.key === 'f') event.preventDefault();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [region]);
}

function moveFocus(region: HTMLElement | null, step: number): void {
  const links = Array.from(region?.querySelectorAll<HTMLElement>('[data-row-link]') ?? []);
  const active = links.findIndex((link) => link === document.activeElement);
  const next = active === -1 ? (step === 1 ? 0 : links.length - 1) : active + step;
  links[Math.min(Math.max(next, 0), links.length - 1)]?.focus();
}
