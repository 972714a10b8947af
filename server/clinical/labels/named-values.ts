import { formatConcepts } from '../entries/codeable-concept.ts';
import { toElement, type Element } from '../entries/element.ts';
import { isAmbiguous } from './name-words.ts';

/** Reads a name that alone says nothing with its value, as a text states them: "PCP: Negative" is a test of a drug. */
export function readNamedValue(element: Element, key: string, { words }: { words: string[] }): void {
  const name = formatConcepts(element['code'])[0];
  if (name === undefined || !isAmbiguous(name)) return;
  const { value, unit } = toElement(element[key]) ?? {};
  const values = value === undefined ? formatConcepts(element[key]) : [[value, unit].join(' ')];
  words.push(...values.map((each) => `${name}: ${each}`));
}
