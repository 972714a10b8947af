import { formatConcept, formatConcepts } from './codeable-concept.ts';
import {
  getPath,
  toElement,
  toElements,
  isTrue,
  joinPresent,
  toArray,
  readText,
  type Element,
} from './element.ts';
import { formatQuantity, formatRange, formatRatio } from './quantity.ts';
import { formatTiming } from './timing.ts';

/**
 * Formats how a drug is taken: the prescriber's text, else rendered from dose, route and timing
 * (355 of 491 dosages of Synthea v2.7 have no text). Several steps keep their order.
 */
export function formatDosage(value: unknown): string | null {
  const steps = toArray(value)
    .map((each) => ({ step: toElement(each), bare: readText(each) }))
    .sort((a, b) => readSequence(a.step) - readSequence(b.step));
  return joinPresent(
    steps.map(({ step, bare }) => (step === null ? bare : formatStep(step))),
    '; ',
  );
}

function readSequence(step: Element | null): number {
  const written = Number(readText(step?.['sequence']) ?? '0');
  return Number.isFinite(written) ? written : 0;
}

function formatStep(step: Element): string | null {
  const written = readText(step['text']);
  const main =
    written === null ? renderStep(step) : joinPresent([written, formatAsNeeded(step, written)], ' ');
  const extra = [...formatConcepts(step['additionalInstruction']), readText(step['patientInstruction'])];
  const sentences = [main, ...extra.filter((each) => each !== null && !(main ?? '').includes(each))];
  return joinPresent(
    sentences.map((each, index) =>
      index < sentences.length - 1 ? (each?.replace(/\.$/, '') ?? null) : each,
    ),
    '. ',
  );
}

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

/** doseAndRate (R4) and the dose and rate beside it (R4 MedicationAdministration, STU3). */
function formatDose(step: Element): string | null {
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
    const both = joinPresent([named, rate && `at ${rate}`], ' ');
    if (both !== null) return both;
  }
  return null;
}

function formatSite(step: Element): string | null {
  const where = formatConcept(step['site']);
  return where && `(${where})`;
}

/** "as needed", unless the text says so already. */
function formatAsNeeded(step: Element, written: string): string | null {
  if (/\b(as needed|if needed|when needed|prn|as required|when required)\b/i.test(written)) return null;
  const why = formatConcept(step['asNeededCodeableConcept']) ?? formatConcept(step['asNeededFor']);
  if (why !== null) return `as needed for ${why}`;
  return isTrue(step['asNeededBoolean']) || isTrue(step['asNeeded']) ? 'as needed' : null;
}

function formatLimit(step: Element): string | null {
  const perPeriod = formatRatio(step['maxDosePerPeriod']);
  const once = formatQuantity(getPath(step, 'maxDosePerAdministration'));
  return joinPresent([perPeriod && `(at most ${perPeriod})`, once && `(at most ${once} at once)`], ' ');
}
