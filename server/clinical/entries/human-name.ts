import { toElements, joinPresent, readText, readTexts } from './element.ts';

/** "Dr. Ardelle Crooks", from the text or the parts; official names before others. */
export function formatHumanName(value: unknown): string | null {
  const all = toElements(value);
  const name =
    all.find((each) => each['use'] === 'official') ?? all.find((each) => each['use'] !== 'old') ?? all[0];
  if (!name) return readText(value);
  const parts = [
    ...readTexts(name['prefix']),
    ...readTexts(name['given']),
    ...readTexts(name['family']),
    ...readTexts(name['suffix']),
  ];
  return readText(name['text']) ?? joinPresent(parts, ' ');
}
