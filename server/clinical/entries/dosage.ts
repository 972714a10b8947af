import { formatConcept, formatConcepts } from './codeable-concept.ts';
import {
  getPath,
  toElement,
  toElements,
  isTrue,
  joinPresent,
  presentFields,
  toArray,
  readText,
  type Element,
} from './element.ts';
import { formatQuantity, formatRange, formatRatio } from './quantity.ts';
import type { MedicationDetail } from './entry.ts';
import { createStatedCheck } from './stated-in-text.ts';
import { formatTiming, listTimingParts } from './timing.ts';

/**
 * Describes how a drug is taken: the prescriber's text, followed by what the codes say besides, else rendered from dose, route
 * and timing (355 of 491 dosages of Synthea v2.7 have no text). Several steps keep their order.
 */
export function describeDosage(value: unknown): Pick<MedicationDetail, 'dosage' | 'coded'> {
  const steps = toArray(value)
    .map((each) => ({ step: toElement(each), bare: readText(each) }))
    .sort((a, b) => readSequence(a.step) - readSequence(b.step));
  const dosage = joinPresent(
    steps.map(({ step, bare }) => (step === null ? bare : formatStep(step, listUnstated(step)))),
    '; ',
  );
  const beside = steps.flatMap<Element>(({ step }) =>
    step === null || readText(step['text']) === null ? [] : step,
  );
  const coded = presentFields({
    dose: joinPresent(beside.map(formatDose), '; '),
    route: joinPresent(
      beside.map((step) => formatConcept(step['route'])),
      '; ',
    ),
    timing: joinPresent(
      beside.map((step) => formatTiming(step['timing'])),
      '; ',
    ),
    limit: joinPresent(beside.map(formatLimit), '; '),
  });
  if (Object.keys(coded).length === 0) return { dosage };
  const words = steps.map(({ step, bare }) => (step === null ? bare : formatStep(step, [])));
  return { dosage, coded: { words: joinPresent(words, '; ') ?? '', ...coded } };
}

function readSequence(step: Element | null): number {
  const written = Number(readText(step?.['sequence']) ?? '0');
  return Number.isFinite(written) ? written : 0;
}

/** SNOMED CT names end with the kind of thing they name. */
const SEMANTIC_TAG = / \((?:qualifier value|finding|disorder|symptom|situation)\)$/;

/** By mouth, and from the day of the order on: what a reader takes for granted. */
const EXPECTED = /^oral\b|^from \S+$/i;

/** Lists what the codes of a step say and its text does not. */
function listUnstated(step: Element): string[] {
  const written = readText(step['text']);
  if (written === null) return [];
  const parts = [
    ...listDoseParts(step),
    formatConcept(step['route']),
    ...listTimingParts(step['timing']),
    formatReason(step),
    ...listLimits(step),
  ].filter((each) => each !== null);
  const isStated = createStatedCheck(written);
  return parts
    .map((part) => part.replace(SEMANTIC_TAG, ''))
    .filter((part) => !EXPECTED.test(part) && !isStated(part));
}

function formatStep(step: Element, unstated: readonly string[]): string | null {
  const written = readText(step['text']);
  const main =
    written === null
      ? renderStep(step)
      : joinPresent([addUnstated(written, unstated), formatAsNeeded(step, written)], ' ');
  const extra = [...formatConcepts(step['additionalInstruction']), readText(step['patientInstruction'])];
  const sentences = [main, ...extra.filter((each) => each !== null && !`${written}\n${main}`.includes(each))];
  return joinPresent(
    sentences.map((each, index) =>
      index < sentences.length - 1 ? (each?.replace(/\.$/, '') ?? null) : each,
    ),
    '. ',
  );
}

/** "Take as directed (5 mg, once a day)". */
const addUnstated = (written: string, unstated: readonly string[]): string =>
  unstated.length === 0
    ? written
    : `${written.replace(SEMANTIC_TAG, '').replace(/\.$/, '')} (${unstated.join(', ')})`;

/** "1 tablet oral every 12 hours as needed". */
function renderStep(step: Element): string | null {
  return joinPresent(
    [
      formatDose(step),
      formatConcept(step['method']),
      formatConcept(step['route']),
      formatSite(step),
      formatTiming(step['timing']),
      formatAsNeeded(step, ''),
      formatLimit(step),
    ],
    ' ',
  );
}

const formatDose = (step: Element): string | null => joinPresent(listDoseParts(step), ' ');

/** doseAndRate (R4) and the dose and rate beside it (R4 MedicationAdministration, STU3). */
function listDoseParts(step: Element): string[] {
  const holders = [...toElements(step['doseAndRate']), step];
  for (const holder of holders) {
    const amount =
      formatQuantity(holder['doseQuantity']) ??
      formatRange(holder['doseRange']) ??
      formatQuantity(holder['dose']);
    const rate =
      formatRatio(holder['rateRatio']) ??
      formatRange(holder['rateRange']) ??
      formatQuantity(holder['rateQuantity']);
    // "1.0" alone is a number without a meaning: Synthea's doses have no unit.
    const named = amount !== null && /^[\d.]+$/.test(amount) ? `dose ${amount}` : amount;
    const both = [named, rate && `at ${rate}`].filter((each) => each !== null);
    if (both.length > 0) return both;
  }
  return [];
}

function formatSite(step: Element): string | null {
  const where = formatConcept(step['site']);
  return where && `(${where})`;
}

const AS_NEEDED = /\b(as needed|if needed|when needed|prn|as required|when required)\b/i;

const readReason = (step: Element): string | null =>
  formatConcept(step['asNeededCodeableConcept']) ?? formatConcept(step['asNeededFor']);

/** What for, where the text says "as needed" already. */
function formatReason(step: Element): string | null {
  const why = AS_NEEDED.test(readText(step['text']) ?? '') ? readReason(step) : null;
  return why && `for ${why}`;
}

/** "as needed", unless the text says so already. */
function formatAsNeeded(step: Element, written: string): string | null {
  if (AS_NEEDED.test(written)) return null;
  const why = readReason(step);
  if (why !== null) return `as needed for ${why}`;
  return isTrue(step['asNeededBoolean']) || isTrue(step['asNeeded']) ? 'as needed' : null;
}

const formatLimit = (step: Element): string | null =>
  joinPresent(
    listLimits(step).map((limit) => `(${limit})`),
    ' ',
  );

function listLimits(step: Element): string[] {
  const perPeriod = formatRatio(step['maxDosePerPeriod']);
  const once = formatQuantity(getPath(step, 'maxDosePerAdministration'));
  const ever = formatQuantity(getPath(step, 'maxDosePerLifetime'));
  return [
    perPeriod && `at most ${perPeriod}`,
    once && `at most ${once} at once`,
    ever && `at most ${ever} in a lifetime`,
  ].filter((each) => each !== null);
}
