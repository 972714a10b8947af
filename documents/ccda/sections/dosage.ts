import type { Element } from 'slimdom';
import { toCodings, toCodeableConcept, getEntryText, resolveText } from '../concepts.ts';
import {
  selectAll,
  getAttribute,
  getChild,
  getChildren,
  hasTemplateId,
  getNullFlavor,
  getText,
} from '../elements.ts';
import type { CodeableConcept, FhirObject, FhirValue } from '../fhir-values.ts';
import type { NarrativeIndex } from '../narrative-index.ts';
import { toQuantity, toQuantityOrRange, toRatio } from '../quantities.ts';
import { isPlaceholder } from './absent-statement.ts';
import { getDrugCode } from './medication-names.ts';
import { findCell } from './narrative-table.ts';
import { getCodes, isPhrase } from './named-concepts.ts';
import { buildTiming, isTiming } from './timing.ts';

const DIRECTIONS = /\b(directions?|instructions?|sig|dosage instructions?|dose instructions?)\b/i;
/** R2.1 Medication Free Text Sig, and its LOINC code. */
const FREE_TEXT_SIG = '2.16.840.1.113883.10.20.22.4.147';
const MEDICATION_INSTRUCTIONS = '76662-6';

/** R1.1 and R2.1 Instruction, IHE PINSTRUCT and FINSTRUCT. */
const INSTRUCTION = {
  codes: new Set(['409073007', 'PINSTRUCT']),
  templates: ['2.16.840.1.113883.10.20.22.4.20'],
};

/** Builds the dosage: the prescriber's text, with dose, rate, route and timing as far as they are coded. */
export function buildDosage(
  administration: Element,
  {
    name,
    bounds,
    narrative,
  }: { name: string | undefined; bounds: FhirValue | undefined; narrative: NarrativeIndex },
): FhirObject[] {
  const times = getChildren(administration, 'effectiveTime').filter(isTiming);
  const timing = buildTiming(times);
  const dosage = {
    text: findSig(administration, name, narrative),
    patientInstruction: getInstructions(administration, narrative),
    timing: { ...timing, repeat: { ...timing.repeat, boundsPeriod: bounds } },
    ...buildAsNeeded(administration, narrative),
    site: toCodeableConcept(getChild(administration, 'approachSiteCode'), narrative),
    route: toRoute(administration, narrative),
    doseAndRate: [{ ...buildDose(administration, narrative), ...buildRate(administration) }],
    maxDosePerPeriod: toRatio(getChild(administration, 'maxDoseQuantity')),
  };
  return [dosage];
}

/** Finds the prescriber's directions; not the name of the drug, to which the text of many entries points. */
export function findSig(
  administration: Element,
  name: string | undefined,
  narrative: NarrativeIndex,
): string | undefined {
  const free = selectAll(administration, 'entryRelationship/substanceAdministration').find(
    (one) =>
      hasTemplateId(one, FREE_TEXT_SIG) || getCodes(getChild(one, 'code')).includes(MEDICATION_INSTRUCTIONS),
  );
  const inRow =
    findCell(administration, DIRECTIONS, narrative) ??
    findCell(getDrugCode(administration), DIRECTIONS, narrative);
  const own = resolveText(getChild(administration, 'text'), narrative);
  const isSig = (text: string | undefined): text is string =>
    text !== undefined && isPhrase(text) && !isDrugName(text, name) && !isPlaceholder(text);
  return (
    [getEntryText(free, narrative), getInlineText(administration), inRow].find(isSig) ??
    joinSigColumns(administration, narrative) ??
    [own].find(isSig)
  );
}

const getInlineText = (administration: Element): string | undefined =>
  getText(getChild(administration, 'text'));

/** Joins dose, route and frequency from columns of their own. */
function joinSigColumns(administration: Element, narrative: NarrativeIndex): string | undefined {
  const cells = [/^dos(e|age)$/i, /^route$/i, /^frequency$/i].flatMap(
    (heading) => findCell(administration, heading, narrative) ?? [],
  );
  const usable = cells.filter((cell) => isPhrase(cell) && !isPlaceholder(cell));
  return usable.length > 1 ? usable.join(' ') : undefined;
}

/** "Lipitor, [RxNorm: 617312]" is the name of the drug with its code, and no directions. */
function isDrugName(text: string, name: string | undefined): boolean {
  const normalize = (each: string): string =>
    each
      .replace(/\[[^[\]]*\]/g, '')
      .toLowerCase()
      .replace(/\W+/g, '');
  const [words, known] = [normalize(text), normalize(name ?? '')];
  return words === '' || (known !== '' && known.includes(words));
}

function getInstructions(administration: Element, narrative: NarrativeIndex): string | undefined {
  const texts = selectAll(administration, 'entryRelationship/act')
    .filter(
      (act) =>
        hasTemplateId(act, ...INSTRUCTION.templates) ||
        getCodes(getChild(act, 'code')).some((code) => INSTRUCTION.codes.has(code)),
    )
    .flatMap((act) => {
      const text = getEntryText(act, narrative) ?? toCodeableConcept(getChild(act, 'code'), narrative)?.text;
      return text === undefined || /^instructions?$/i.test(text) ? [] : text;
    });
  return [...new Set(texts)].join('; ') || undefined;
}

/** Builds "as needed" from a precondition; one without a reason is still "as needed". */
function buildAsNeeded(administration: Element, narrative: NarrativeIndex): FhirObject {
  const criterion = selectAll(administration, 'precondition/criterion')[0];
  if (criterion === undefined) return {};
  const value = getChild(criterion, 'value');
  const reason =
    toCodeableConcept(value, narrative) ??
    toTextConcept(getText(value)) ??
    toTextConcept(resolveText(getChild(criterion, 'text'), narrative));
  return reason === undefined ? { asNeededBoolean: true } : { asNeededCodeableConcept: reason };
}

const toTextConcept = (text: string | undefined): CodeableConcept | undefined =>
  text === undefined ? undefined : { text };

/** Converts the route; one sender writes the route itself in place of the reference to it. */
function toRoute(administration: Element, narrative: NarrativeIndex): CodeableConcept | undefined {
  const route = getChild(administration, 'routeCode');
  const reference = getAttribute(getChild(getChild(route, 'originalText'), 'reference'), 'value');
  const misplaced = reference === undefined || reference.startsWith('#') ? undefined : { text: reference };
  return toCodeableConcept(route, narrative) ?? misplaced;
}

/**
 * Builds the dose. Without a unit of its own it counts the dose form ("2" of "Puff"); a translation gives the meaning of
 * the unit "1" ("tablet(s)").
 */
function buildDose(administration: Element, narrative: NarrativeIndex): FhirObject {
  const dose = getChild(administration, 'doseQuantity');
  if (getNullFlavor(dose) !== undefined) return {};
  const read = toQuantityOrRange(dose);
  if (read === undefined) return {};
  if ('range' in read) return { doseRange: read.range };
  const { quantity } = read;
  if (quantity['unit'] !== undefined) return { doseQuantity: quantity };
  const unit =
    resolveText(getChild(getChild(dose, 'translation'), 'originalText'), narrative) ??
    getDoseForm(administration);
  if (unit === undefined) return { doseQuantity: quantity };
  const { value, comparator } = quantity;
  return { doseQuantity: { value, comparator, unit } };
}

const getDoseForm = (administration: Element): string | undefined =>
  toCodings(getChild(administration, 'administrationUnitCode')).find(({ display }) => display !== undefined)
    ?.display;

function buildRate(administration: Element): FhirObject {
  const rate = getChild(administration, 'rateQuantity');
  const read = toQuantityOrRange(rate);
  if (read === undefined) return {};
  return 'range' in read ? { rateRange: read.range } : { rateQuantity: toQuantity(rate) ?? read.quantity };
}
