import { type RefObject, useEffect } from 'react';
import { isTyping } from '../kit/is-typing.ts';
import { focusRow } from '../kit/focus-row.ts';

/**
 * The keys of a list: `j` and `k` take the focus to the next and the previous row, whose link Enter follows; `x` selects the row,
 * `.` goes to its first action, `f` to the filters of the page.
 */
export function useRowKeys(region: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const act = ACTIONS[event.key];
      if (act === undefined || isTyping(event) || !isOwnKey(region.current)) return;
      act(region.current as HTMLElement);
      event.preventDefault();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [region]);
}

/** Of several lists on a page, the keys are those of the one that has the focus, or of the first. */
function isOwnKey(region: HTMLElement | null): boolean {
  const focused = document.activeElement?.closest('.list') ?? null;
  return region !== null && region === (focused ?? document.querySelector('.list'));
}

const findRow = (region: HTMLElement): HTMLElement | null => {
  const row = document.activeElement?.closest<HTMLElement>('[data-row]') ?? null;
  return row !== null && region.contains(row) ? row : null;
};

const ACTIONS: Readonly<Record<string, ((region: HTMLElement) => void) | undefined>> = {
  j: (region) => moveFocus(region, 1),
  k: (region) => moveFocus(region, -1),
  x: (region) => findRow(region)?.querySelector<HTMLElement>('.list-select input')?.click(),
  '.': (region) =>
    findRow(region)?.querySelector<HTMLElement>('.list-actions :is(button, a), summary, .copy')?.focus(),
  // On a phone the button that shows the filters, while they are hidden.
  f: () =>
    Array.from(document.querySelectorAll<HTMLElement>('.filters :is(.filters-toggle, input, select)'))
      .find((element) => element.checkVisibility())
      ?.focus(),
};

function moveFocus(region: HTMLElement, step: number): void {
  const rows = Array.from(region.querySelectorAll<HTMLElement>('[data-row]'));
  const active = rows.findIndex((row) => row === findRow(region));
  const next = active === -1 ? (step === 1 ? 0 : rows.length - 1) : active + step;
  const row = rows[Math.min(Math.max(next, 0), rows.length - 1)];
  if (row) focusRow(row);
}
