import type { EntryBase } from './entry.ts';
import type { ObservationDetail } from './observation-detail.ts';

export type MeasuredEntry = Pick<EntryBase, 'title' | 'code'> & { detail: ObservationDetail };

/** Codes of LOINC that say how a vital sign was measured. */
const CODED: ReadonlyMap<string, string> = new Map(
  [
    ['sitting', '8459-0 8453-3'],
    ['standing', '8460-8 8454-1 8308-9'],
    ['supine', '8461-6 8455-8 68999-2'],
    ['lying', '8306-3'],
    ['oral', '8331-1'],
    ['rectal', '8332-9'],
    ['tympanic', '8333-7'],
    ['axillary', '8328-7'],
    ['core', '8329-5'],
    ['temporal artery', '75539-7'],
    ['stated', '3142-7 3138-5'],
    ['estimated', '8335-2 8301-4 89270-3'],
    ['with clothes', '8350-1'],
    ['without clothes', '8351-9'],
  ].flatMap(([words = '', codes = '']) => codes.split(' ').map((code) => [code, words] as const)),
);
const LOINC_KEY = 'http://loinc.org|';

/** How, where and in which position, as senders write it into the name: "Blood pressure Supine", "Axillary temp". */
const IN_NAMES = new RegExp(
  `(?<!\\p{L})(?:${[
    'supine|recumbent|lying|prone|sitting|seated|standing|upright|orthostatic',
    'liegend|sitzend|stehend|de pie|sentad[oa]|acostad[oa]',
    'axillary|axilar|axillär|oral|rectal|rektal|tympanic|temporal(?: artery)?|forehead|core',
    'resting|at rest|(?:during|after|post)[ -]?exercise|estimated|stated|self[ -]reported|patient[ -]reported|home|ambulatory',
    'on room air|room air|on (?:supplemental )?oxygen',
    '(?:left|right) (?:upper |lower )?(?:arm|leg|wrist|ankle|thigh|calf|finger|hand|ear|eye)',
  ].join('|')})(?!\\p{L})`,
  'giu',
);

/**
 * Lists the conditions under which a value was measured: "Supine", "Left arm". A pressure of somebody who lies is no earlier
 * value of that of somebody who stands. What `named`, the name that a reader sees beside it, says is not repeated.
 */
export function listConditions({ title, code, detail }: MeasuredEntry, named = title): string[] {
  const { position, method, bodySite } = detail;
  const inName = named === title ? [] : (title.match(IN_NAMES) ?? []);
  const coded = code?.startsWith(LOINC_KEY) ? CODED.get(code.slice(LOINC_KEY.length)) : undefined;
  const words: string[] = [];
  for (const each of [position, ...inName, coded, method, bodySite]) {
    if (each === undefined) continue;
    const isSaid = [named, ...words].some((said) => said.toLowerCase().includes(each.toLowerCase()));
    if (!isSaid) words.push(each);
  }
  return words;
}
