import { elements, joined, text, texts } from './element.ts';

/** "Dr. Ardelle Crooks", from the text or the parts; official names before others. */
export function humanName(value: unknown): string | null {
  const all = elements(value);
  const name =
    all.find((each) => each['use'] === 'official') ?? all.find((each) => each['use'] !== 'old') ?? all[0];
  if (!name) return text(value);
  const parts = [
    ...texts(name['prefix']),
    ...texts(name['given']),
    ...texts(name['family']),
    ...texts(name['suffix']),
  ];
  return text(name['text']) ?? joined(parts, ' ');
}
