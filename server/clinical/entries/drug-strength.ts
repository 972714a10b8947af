import { formatConcept, normalizeName, parseCodings } from './codeable-concept.ts';
import { isTrue, joinPresent, readText, toElement, toElements, type Element } from './element.ts';
import type { MedicationDetail } from './entry.ts';
import { formatTitle } from './group-key.ts';
import { formatQuantity, parseQuantity } from './quantity.ts';

const NUMBER = '\\d+(?:[.,]\\d+)*';

/** "25 MG", "10 mg/5 mL", "100 UNT/ML", "0.05 MG/ACTUAT", "1 %": a volume alone is an amount. */
const STRENGTH = `(?<![\\p{L}\\p{N}.,])${NUMBER}[ -]?(?:%|(?:mg|mcg|[µμ]g|ug|ng|g|unt|units?|iu|u|i\\.?e\\.?|meq|mmol|mci|mbq|bau|amb)(?![\\p{L}\\p{N}]))(?: ?/ ?(?:${NUMBER} ?)?\\p{L}+)?`;
const ANY_STRENGTH = new RegExp(STRENGTH, 'iu');
const EACH_STRENGTH = new RegExp(STRENGTH, 'giu');

export const hasStrength = (name: string): boolean => ANY_STRENGTH.test(name);

/** A longer display is no name. */
const MAX_NAME_LENGTH = 200;

const listWords = (name: string): string[] => normalizeName(name).match(/\p{L}+/gu) ?? [];

const listStrongDisplays = (concept: unknown): string[] =>
  parseCodings(concept).flatMap(({ display }) =>
    display !== null && display.length <= MAX_NAME_LENGTH && hasStrength(display) ? display : [],
  );

/** Names a drug: by the sender's text, or by a display that says the same and the strength besides. */
export function formatDrugTitle(concept: unknown): string | null {
  const title = formatTitle(concept);
  if (title === null || hasStrength(title)) return title;
  const words = listWords(title);
  const isSame = (display: string): boolean => new Set(words).isSubsetOf(new Set(listWords(display)));
  return (words.length === 0 ? undefined : listStrongDisplays(concept).find(isSame)) ?? title;
}

/** Words of a name that say how a drug is taken, not which it is. */
const FORMS = new Set(
  'tablet tablets capsule capsules oral solution injection injectable suspension extended release delayed cream ointment spray drops inhaler powder with acid sodium'.split(
    ' ',
  ),
);

const listNamingWords = (name: string): Set<string> =>
  new Set(listWords(name).filter((word) => word.length > 3 && !FORMS.has(word)));

/** The strength that another name of the drug states, where it shares a word with the one that does not. */
export function findStrengthBeside(title: string, names: readonly string[]): string | null {
  if (hasStrength(title)) return null;
  const words = listNamingWords(title);
  const same = names.find((name) => hasStrength(name) && !words.isDisjointFrom(listNamingWords(name)));
  return same === undefined ? null : joinPresent(same.match(EACH_STRENGTH) ?? [], ' / ');
}

export const findCodedStrength = (title: string, concept: unknown): string | null =>
  findStrengthBeside(title, listStrongDisplays(concept));

/** Formats the strengths of the active ingredients: "10 mg/5 mL"; of several with their names. */
export function formatStrength(medication: Element): string | null {
  const active = toElements(medication['ingredient']).filter(
    ({ isActive }) => isActive === undefined || isTrue(isActive),
  );
  const strengths = active.map((ingredient) => ({
    name: formatConcept(ingredient['itemCodeableConcept']),
    strength: formatAmount(toElement(ingredient['strength'])),
  }));
  return joinPresent(
    strengths.map(({ name, strength }) =>
      strength === null || active.length === 1 ? strength : joinPresent([name, strength], ' '),
    ),
    ' + ',
  );
}

/** "300 U/mL": of one of something the number says nothing. */
function formatAmount(ratio: Element | null): string | null {
  const above = formatQuantity(ratio?.['numerator']);
  const below = parseQuantity(ratio?.['denominator']);
  if (above === null || below === null || (below.value === '1' && (below.unit ?? '1') === '1')) return above;
  return `${above}/${joinPresent([below.value === '1' ? null : below.value, below.unit], ' ')}`;
}

type Dosage = Pick<MedicationDetail, 'dosage' | 'coded'>;

const BEHIND = / \(strength ([^()]+)\)$/;
const ALONE = /^strength ([^()]+)$/;

/** Adds the strength to how a drug is taken, unless that states it; record linkage compares the words without it. */
export function addStrength<D extends Dosage>(detail: D, strength: string | null): D {
  const { dosage, coded } = detail;
  const plain = strength?.replaceAll(/[()]/g, '').trim() ?? '';
  if (plain === '' || (dosage !== null && toBare(dosage).includes(toBare(plain)))) return detail;
  return {
    ...detail,
    dosage: dosage === null ? `strength ${plain}` : `${dosage} (strength ${plain})`,
    coded: coded ?? { words: dosage ?? '' },
  };
}

const toBare = (text: string): string => text.toLowerCase().replaceAll(/\s+/g, '');

/** Splits what `addStrength` joined. */
export function splitStrength(dosage: string | null): { words: string | null; strength: string | null } {
  if (dosage === null) return { words: null, strength: null };
  const [alone, only] = ALONE.exec(dosage) ?? [];
  if (alone !== undefined) return { words: null, strength: only ?? null };
  const [behind, strength] = BEHIND.exec(dosage) ?? [];
  return behind === undefined
    ? { words: dosage, strength: null }
    : { words: dosage.slice(0, -behind.length), strength: readText(strength) };
}
