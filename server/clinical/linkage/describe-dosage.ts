import { normalizeName } from '../entries/codeable-concept.ts';
import type { MedicationDetail } from '../entries/entry.ts';
import { normalizeTitle, normalizeUnit, normalizeValue, normalizeWords } from './normalize-value.ts';
import { toFacet, type Facet } from './statement.ts';

type Dosage = Pick<MedicationDetail, 'dosage' | 'coded'>;

const DATES =
  /(?:\b(?:from|since|until|to) )?\b\d{4}-\d\d(?:-\d\d)?(?:t[\d:.+-]{1,30}z?)?\b|\b(?:from|since|until) \d{4}(?= (?:to|until)\b|[.,;]|$)/g;

/** Normalizes how a drug is taken, without its dates: those are compared apart, in the precision of each source. */
export const normalizeDosage = (dosage: string): string =>
  normalizeWords(normalizeName(dosage).replace(DATES, '')).replace(/\s+/g, ' ').trim();

const LAST_DAYS = /\b(?:to|until) (\d{4}-\d\d(?:-\d\d)?)(?!\d)/g;

/** Returns the last day of how a drug is taken: "from 2021-03-02 to 2021-03-09", "until 2021-03". */
export const findLastDay = ({ dosage, coded }: Dosage): string | null =>
  [...`${dosage ?? ''} ${coded?.timing ?? ''}`.matchAll(LAST_DAYS)]
    .map(([, day = '']) => day)
    .sort()
    .at(-1) ?? null;

/** Builds the facets of how a drug is taken: the words, and each thing that codes say beside them and a source may leave out. */
export function describeDosage({ dosage, coded }: Dosage): Facet[] {
  return [
    toFacet(normalizeDosage(coded?.words ?? dosage ?? '')),
    toDoseFacet(coded?.dose ?? ''),
    toFacet(normalizeTitle(coded?.route ?? '').replace(/ route(?: of administration)?$/, '')),
    toFacet(normalizeDosage(coded?.timing ?? '')),
    toFacet(normalizeWords(coded?.limit ?? '')),
  ];
}

const DOSE = /^(?:dose )?(\d[\d.]{0,20})(?: ([^;]{1,40}))?$/;

/** "5 mg", of which a source may leave out the unit. */
function toDoseFacet(dose: string): Facet {
  const [, value, unit = null] = DOSE.exec(dose) ?? [];
  if (value === undefined) return toFacet(normalizeWords(dose));
  const [number, normalizedUnit] = [normalizeValue(value), normalizeUnit(unit)];
  const whole = normalizedUnit === null ? [] : [`${number} ${normalizedUnit}`];
  return { steps: ['', number, ...whole], differing: 'contradiction' };
}
