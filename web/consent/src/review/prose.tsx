import type { Language } from '../../../kit/languages.ts';

/** A text that others wrote: its paragraphs stay, and it is marked with its language where that is not the page's. */
export function Prose({ text, lang }: { text: string; lang?: Language }) {
  return (
    <span className="prose" lang={lang}>
      {text}
    </span>
  );
}
