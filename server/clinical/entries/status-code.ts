import { formatConcept, parseCodings, type Coding } from './codeable-concept.ts';
import { readText } from './element.ts';

/** Codes of R4's required bindings that a status may be; "unknown" says nothing beside another. */
const CODES: ReadonlySet<string> = new Set(
  [
    'active recurrence relapse inactive remission resolved',
    'unconfirmed presumed provisional differential confirmed refuted entered-in-error',
    'draft intended planned proposed accepted preparation in-progress on-hold suspended completed ended stopped',
    'cancelled abandoned aborted revoked rejected declined not-done not-taken health-unknown',
    'arrived triaged onleave finished discharged discontinued waitlist checked-in noshow booked pending fulfilled',
    'registered partial preliminary final amended corrected appended current superseded',
    'proposal plan option order original-order reflex-order filler-order instance-order',
    'allergy intolerance',
  ].flatMap((line) => line.split(' ')),
);

/** What senders write of these codes in words of their own. */
const WORDS: ReadonlyMap<string, string> = new Map([
  ['ruled-out', 'refuted'],
  ['not-given', 'not-done'],
  ['not-administered', 'not-done'],
  ['not-performed', 'not-done'],
  ['canceled', 'cancelled'],
]);

const removeSeparators = (text: string): string => text.replaceAll(/[\s_-]+/g, '');

/** Codes by their letters: "Entered in Error", "not_done" and "onHold" are these codes too. */
const CODE_BY_LETTERS: ReadonlyMap<string, string> = new Map(
  [...[...CODES].map((code) => [code, code] as const), ...WORDS].map(([written, code]) => [
    removeSeparators(written),
    code,
  ]),
);

const findCode = (written: string): string | undefined =>
  // Asked first: nearly all are written as the code is.
  CODES.has(written) ? written : CODE_BY_LETTERS.get(removeSeparators(written.toLowerCase()));

/** Code systems and value sets of the standard that the status of a condition or an allergy is bound to. */
const BOUND = /\bhl7\.org\/(?:.*\/)?(?:condition|allergy)[a-z-]*$/;

const isBound = ({ system }: Coding): boolean => system !== null && BOUND.test(system);

/** What must not be overlooked, whichever coding says so. */
const GRAVEST = ['entered-in-error', 'refuted'];

/**
 * Reads a status: the code of a `code` or CodeableConcept element. Of several codings that of the standard counts, wherever it
 * stands, else one that the standard knows; then the text. What is in no value set is returned as written, in lower case.
 */
export function readStatusCode(value: unknown): string | null {
  if (value === undefined) return null;
  const written = readText(value) ?? findCodedStatus(parseCodings(value)) ?? formatConcept(value);
  return written === null ? null : (findCode(written) ?? written.toLowerCase());
}

function findCodedStatus(codings: readonly Coding[]): string | undefined {
  const known = codings.flatMap((coding) => {
    const status = findCode(coding.code ?? '') ?? findCode(coding.display ?? '');
    return status === undefined ? [] : { status, coding };
  });
  if (known.length < 2) return known[0]?.status;
  const gravest = GRAVEST.find((code) => known.some(({ status }) => status === code));
  return gravest ?? (known.find(({ coding }) => isBound(coding)) ?? known[0])?.status;
}
