import type { Language } from '../../../kit/languages.ts';

/** What others wrote: its paragraphs stay, and its language is told where it is not the page's. */
export function Prose({ text, lang }: { text: string; lang?: Language }) {
  return (
    <span className="prose" lang={lang}>
      {text}
    </span>
  );
}
