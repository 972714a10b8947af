const FIELDS = 'input:not([type=checkbox]):not([type=radio]), textarea, select, [contenteditable], dialog';

/** Whether a key is somebody's text, or a command of the browser: no shortcut of ours then. */
export const isTyping = ({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  ctrlKey || metaKey || altKey || (target instanceof Element && target.closest(FIELDS) !== null);
