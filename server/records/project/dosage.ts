import { conceptText, conceptTexts } from './codeable-concept.ts';
import { at, element, elements, isTrue, joined, members, text, type Element } from './element.ts';
import { quantityText, rangeText, ratioText } from './quantity.ts';
import { timingText } from './timing.ts';

/**
 * How a drug is taken, in words: what the prescriber wrote, else rendered from dose, route and timing
 * (355 of 491 dosages of Synthea v2.7 have no text). Several steps keep their order.
 */
export function dosageText(value: unknown): string | null {
  const steps = members(value)
    .map((each) => ({ step: element(each), bare: text(each) }))
    .sort((a, b) => sequence(a.step) - sequence(b.step));
  return joined(
    steps.map(({ step, bare }) => (step === null ? bare : stepText(step))),
    '; ',
  );
}

function sequence(step: Element | null): number {
  const written = Number(text(step?.['sequence']) ?? '0');
  return Number.isFinite(written) ? written : 0;
}

function stepText(step: Element): string | null {
  const written = text(step['text']);
  const main = written === null ? rendered(step) : joined([written, needed(step, written)], ' ');
  const extra = [...conceptTexts(step['additionalInstruction']), text(step['patientInstruction'])];
  const sentences = [main, ...extra.filter((each) => each !== null && !(main ?? '').includes(each))];
  return joined(
    sentences.map((each, index) =>
      index < sentences.length - 1 ? (each?.replace(/\.$/, '') ?? null) : each,
    ),
    '. ',
  );
}

/** "1 tablet oral every 12 hours as needed". */
function rendered(step: Element): string | null {
  return joined(
    [
      dose(step),
      conceptText(step['method']),
      conceptText(step['route']),
      site(step),
      timingText(step['timing']),
      needed(step, ''),
      limit(step),
    ],
    ' ',
  );
}

/** doseAndRate (R4) and the dose and rate beside it (R4 MedicationAdministration, STU3). */
function dose(step: Element): string | null {
  const holders = [...elements(step['doseAndRate']), step];
  for (const holder of holders) {
    const amount =
      quantityText(holder['doseQuantity']) ?? rangeText(holder['doseRange']) ?? quantityText(holder['dose']);
    const rate =
      ratioText(holder['rateRatio']) ??
      rangeText(holder['rateRange']) ??
      quantityText(holder['rateQuantity']);
    // "1.0" alone is a number without a meaning: Synthea's doses have no unit.
    const named = amount !== null && /^[\d.]+$/.test(amount) ? `dose ${amount}` : amount;
    const both = joined([named, rate && `at ${rate}`], ' ');
    if (both !== null) return both;
  }
  return null;
}

function site(step: Element): string | null {
  const where = conceptText(step['site']);
  return where && `(${where})`;
}

/** "as needed", unless the text says so already. */
function needed(step: Element, written: string): string | null {
  if (/\b(as needed|if needed|when needed|prn|as required|when required)\b/i.test(written)) return null;
  const why = conceptText(step['asNeededCodeableConcept']) ?? conceptText(step['asNeededFor']);
  if (why !== null) return `as needed for ${why}`;
  return isTrue(step['asNeededBoolean']) || isTrue(step['asNeeded']) ? 'as needed' : null;
}

function limit(step: Element): string | null {
  const most = ratioText(step['maxDosePerPeriod']);
  const once = quantityText(at(step, 'maxDosePerAdministration'));
  return joined([most && `(at most ${most})`, once && `(at most ${once} at once)`], ' ');
}
