import { toElement, joinPresent, toArray, readText } from './element.ts';

/** Annotation.text of one or several, one a line. */
export function formatAnnotations(value: unknown): string | null {
  return joinPresent(
    toArray(value).map((note) => readText(note) ?? readText(toElement(note)?.['text'])),
    '\n',
  );
}
