import { element, joined, members, text } from './element.ts';

/** Annotation.text of one or several, one a line. */
export function annotations(value: unknown): string | null {
  return joined(
    members(value).map((note) => text(note) ?? text(element(note)?.['text'])),
    '\n',
  );
}
