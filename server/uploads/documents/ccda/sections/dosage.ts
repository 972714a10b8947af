import type { Element } from 'slimdom';
import { codings, concept, entryText, referencedText } from '../concepts.ts';
import { all, attribute, child, children, hasTemplate, nullFlavor, textOf } from '../elements.ts';
import type { CodeableConcept, FhirObject, FhirValue } from '../fhir-values.ts';
import type { NarrativePlaces } from '../narrative-places.ts';
import { quantity, quantityOrRange, ratio } from '../quantities.ts';
import { tellsNothing } from './absent-statement.ts';
import { cellBeside } from './narrative-row.ts';
import { codesOf, isPhrase } from './own-words.ts';
import { repeatOf, tellsTiming } from './timing.ts';

const DIRECTIONS = /\b(directions?|instructions?|sig|dosage instructions?|dose instructions?)\b/i;
/** R2.1 Medication Free Text Sig, and its LOINC code. */
const FREE_TEXT_SIG = '2.16.840.1.113883.10.20.22.4.147';
const MEDICATION_INSTRUCTIONS = '76662-6';

/** R1.1 and R2.1 Instruction, IHE PINSTRUCT and FINSTRUCT. */
const INSTRUCTION = {
  codes: new Set(['409073007', 'PINSTRUCT']),
  templates: ['2.16.840.1.113883.10.20.22.4.20'],
};

/** How a drug is taken: what the prescriber wrote, and beside it dose, rate, route and timing as far as they are coded. */
export function dosageOf(
  administration: Element,
  {
    name,
    bounds,
    narrative,
  }: { name: string | undefined; bounds: FhirValue | undefined; narrative: NarrativePlaces },
): FhirObject[] {
  const times = children(administration, 'effectiveTime').filter(tellsTiming);
  const repeat = { ...repeatOf(times), boundsPeriod: bounds };
  const dosage = {
    text: sigOf(administration, name, narrative),
    patientInstruction: instructionsOf(administration, narrative),
    timing: { repeat },
    ...asNeeded(administration, narrative),
    site: concept(child(administration, 'approachSiteCode'), narrative),
    route: routeOf(administration, narrative),
    doseAndRate: [{ ...doseOf(administration, narrative), ...rateOf(administration) }],
    maxDosePerPeriod: ratio(child(administration, 'maxDoseQuantity')),
  };
  return [dosage];
}

/** The sentence of the prescriber; not the name of the drug, which many an entry's text points to. */
export function sigOf(
  administration: Element,
  name: string | undefined,
  narrative: NarrativePlaces,
): string | undefined {
  const free = all(administration, 'entryRelationship/substanceAdministration').find(
    (one) => hasTemplate(one, FREE_TEXT_SIG) || codesOf(child(one, 'code')).includes(MEDICATION_INSTRUCTIONS),
  );
  const inRow =
    cellBeside(administration, DIRECTIONS, narrative) ??
    cellBeside(codeOf(administration), DIRECTIONS, narrative);
  const own = referencedText(child(administration, 'text'), narrative);
  const isSig = (text: string | undefined): text is string =>
    text !== undefined && isPhrase(text) && !isSame(text, name) && !tellsNothing(text);
  return (
    [entryText(free, narrative), inline(administration), inRow].find(isSig) ??
    inColumns(administration, narrative) ??
    [own].find(isSig)
  );
}

const inline = (administration: Element): string | undefined => textOf(child(administration, 'text'));

const codeOf = (administration: Element): Element | undefined =>
  all(administration, 'consumable/manufacturedProduct/manufacturedMaterial/code')[0];

/** Dose, route and frequency in columns of their own. */
function inColumns(administration: Element, narrative: NarrativePlaces): string | undefined {
  const cells = [/^dos(e|age)$/i, /^route$/i, /^frequency$/i].flatMap(
    (heading) => cellBeside(administration, heading, narrative) ?? [],
  );
  const told = cells.filter((cell) => isPhrase(cell) && !tellsNothing(cell));
  return told.length > 1 ? told.join(' ') : undefined;
}

/** "Lipitor, [RxNorm: 617312]" is the name of the drug and its code, and no sentence on how to take it. */
function isSame(text: string, name: string | undefined): boolean {
  const bare = (each: string): string =>
    each
      .replace(/\[[^\]]*\]/g, '')
      .toLowerCase()
      .replace(/\W+/g, '');
  const [words, known] = [bare(text), bare(name ?? '')];
  return words === '' || (known !== '' && known.includes(words));
}

function instructionsOf(administration: Element, narrative: NarrativePlaces): string | undefined {
  const said = all(administration, 'entryRelationship/act')
    .filter(
      (act) =>
        hasTemplate(act, ...INSTRUCTION.templates) ||
        codesOf(child(act, 'code')).some((code) => INSTRUCTION.codes.has(code)),
    )
    .flatMap((act) => {
      const text = entryText(act, narrative) ?? concept(child(act, 'code'), narrative)?.text;
      return text === undefined || /^instructions?$/i.test(text) ? [] : text;
    });
  return [...new Set(said)].join('; ') || undefined;
}

/** A precondition is what has to be there before the drug is taken; without a word on what, it is still "as needed". */
function asNeeded(administration: Element, narrative: NarrativePlaces): FhirObject {
  const criterion = all(administration, 'precondition/criterion')[0];
  if (criterion === undefined) return {};
  const value = child(criterion, 'value');
  const why =
    concept(value, narrative) ??
    textConcept(textOf(value)) ??
    textConcept(referencedText(child(criterion, 'text'), narrative));
  return why === undefined ? { asNeededBoolean: true } : { asNeededCodeableConcept: why };
}

const textConcept = (text: string | undefined): CodeableConcept | undefined =>
  text === undefined ? undefined : { text };

/** One sender writes the route itself where the reference to it belongs. */
function routeOf(administration: Element, narrative: NarrativePlaces): CodeableConcept | undefined {
  const route = child(administration, 'routeCode');
  const reference = attribute(child(child(route, 'originalText'), 'reference'), 'value');
  const misplaced = reference === undefined || reference.startsWith('#') ? undefined : { text: reference };
  return concept(route, narrative) ?? misplaced;
}

/**
 * Without a unit of its own a dose counts the form it is given in ("2" of "Puff"); of the unit "1" a translation tells
 * what it means ("tablet(s)").
 */
function doseOf(administration: Element, narrative: NarrativePlaces): FhirObject {
  const dose = child(administration, 'doseQuantity');
  if (nullFlavor(dose) !== undefined) return {};
  const read = quantityOrRange(dose);
  if (read === undefined) return {};
  if ('range' in read) return { doseRange: read.range };
  const { quantity } = read;
  if (quantity['unit'] !== undefined) return { doseQuantity: quantity };
  const unit =
    referencedText(child(child(dose, 'translation'), 'originalText'), narrative) ?? formOf(administration);
  if (unit === undefined) return { doseQuantity: quantity };
  const { value, comparator } = quantity;
  return { doseQuantity: { value, comparator, unit } };
}

const formOf = (administration: Element): string | undefined =>
  codings(child(administration, 'administrationUnitCode')).find(({ display }) => display !== undefined)
    ?.display;

function rateOf(administration: Element): FhirObject {
  const rate = child(administration, 'rateQuantity');
  const read = quantityOrRange(rate);
  if (read === undefined) return {};
  return 'range' in read ? { rateRange: read.range } : { rateQuantity: quantity(rate) ?? read.quantity };
}
