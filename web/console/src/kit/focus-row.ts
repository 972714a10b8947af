/** Takes the focus to a row of a list: to its link, or to the row itself where it leads nowhere. */
export function focusRow(row: HTMLElement): void {
  (row.querySelector<HTMLElement>('[data-row-link]') ?? row).focus();
}

/** The row of a list that an element is in, to come back to. */
export const getRowKey = (element: Element | null): string | undefined =>
  element?.closest<HTMLElement>('[data-row]')?.dataset['row'];

/** Takes the focus that was lost with an element back to its row, or to the title of the page where that is gone too. */
export function restoreFocus(rowKey: string | undefined): void {
  const { activeElement } = document;
  if (activeElement !== null && activeElement !== document.body) return;
  const row =
    rowKey === undefined ? null : document.querySelector<HTMLElement>(`[data-row="${CSS.escape(rowKey)}"]`);
  if (row) focusRow(row);
  else document.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true });
}
