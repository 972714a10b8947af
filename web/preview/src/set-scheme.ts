import type { Scheme } from './preview-message.ts';

const DARK = 'prefers-color-scheme: dark';

/** The rules of dark colours, and what they were written for. */
const originals = new WeakMap<CSSMediaRule, string>();

/** Shows the page in light or dark colours, whatever the screen prefers: the rules of dark colours hold always, or never. */
export function setScheme(scheme: Scheme): void {
  document.documentElement.style.colorScheme = scheme;
  for (const sheet of document.styleSheets)
    for (const rule of sheet.cssRules) if (rule instanceof CSSMediaRule) setRule(rule, scheme);
}

function setRule(rule: CSSMediaRule, scheme: Scheme): void {
  const original = originals.get(rule) ?? rule.media.mediaText;
  if (!original.includes(DARK)) return;
  originals.set(rule, original);
  // The part of the condition about colours becomes one that is always true, or never.
  rule.media.mediaText = original.replace(DARK, scheme === 'dark' ? 'min-width: 0' : 'max-width: 0');
}
