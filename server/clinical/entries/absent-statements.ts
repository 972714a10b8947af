import { deniesData, parseAbsence, type Absence } from './absence-grammar.ts';
import { isOfAbsence, parseCodings, SNOMED, type Coding } from './codeable-concept.ts';

/** HL7 IPS: the codes by which a summary says that it knows of none, or knows nothing. */
const IPS_ABSENT_UNKNOWN = /\/absent-unknown-uv-ips$/;

/** SNOMED CT: "no known …" situations, and what says that nobody asked. */
const SNOMED_CODES = new Map<string, Absence>([
  ['716186003', 'none'], // No known allergy
  ['409137002', 'none'], // No known drug allergy
  ['429625007', 'none'], // No known food allergy
  ['428607008', 'none'], // No known environmental allergy
  ['428197003', 'none'], // No known insect allergy
  ['716220001', 'none'], // No known animal allergy
  ['716184000', 'none'], // No known latex allergy (older code)
  ['1003774007', 'none'], // No known Hevea brasiliensis latex allergy
  ['160244002', 'none'], // No known allergies (older code)
  ['160245001', 'none'], // No current problems or disability
  ['787480003', 'none'], // No known procedures
  ['787481004', 'none'], // No known medications
  ['787482006', 'none'], // No known immunizations
  ['787483001', 'none'], // No known device use
  ['1631000175102', 'no information'], // Patient not asked
  ['1287211007', 'no information'], // No information available
]);

/** v3-NullFlavor and data-absent-reason: nothing is known. Others say that there is something: masked, other. */
const UNKNOWN_CODES = new Set(
  'UNK NI NA NASK ASKU NAV NAVU unknown asked-unknown temp-unknown not-asked asked-declined not-applicable'.split(
    ' ',
  ),
);

/**
 * Reads what a name or its codes say instead of naming a thing: "No known drug allergy" says that there is none, "Not on
 * file" that nothing is known. Null for what names a thing.
 */
export function readAbsence(concept: unknown, title: string | null): Absence | null {
  const codings = parseCodings(concept);
  for (const coding of codings) {
    const coded = readCode(coding);
    if (coded !== null) return coded;
  }
  const named = title === null ? null : parseAbsence(title.trim());
  return named ?? (codings.some((coding) => isUnknownCode(coding, title)) ? 'no information' : null);
}

function readCode({ system, code }: Coding): Absence | null {
  if (code === null) return null;
  if (system !== null && IPS_ABSENT_UNKNOWN.test(system))
    return code.endsWith('-info') ? 'no information' : 'none';
  return system === SNOMED || system === null ? (SNOMED_CODES.get(code) ?? null) : null;
}

/** True where such a code is all that there is: a name beside it counts. */
const isUnknownCode = (coding: Coding, title: string | null): boolean =>
  isOfAbsence(coding) &&
  coding.code !== null &&
  UNKNOWN_CODES.has(coding.code) &&
  (title === null || title === coding.code || title === coding.display);

export interface AbsenceFields {
  /** A statement about the record, not a fact in it: "No known allergies", "Not on file". */
  none: boolean;
  /** Such a statement that says that nothing is known, not that there is none. */
  noInformation?: true;
}

/**
 * The fields of an entry with that name. What else it says of the thing (a reaction, a dosage) makes it one that is there,
 * whatever it is: an "Unknown" that causes hives. `descriptions` are in words, which may be as empty: "Reaction: unknown".
 */
export function toAbsenceFields(
  absence: Absence | null,
  descriptions: readonly (string | null)[],
): AbsenceFields {
  const isDescribed = descriptions.some((each) => each !== null && parseAbsence(each) === null);
  if (absence === null || isDescribed) return { none: false };
  return { none: true, ...(absence === 'no information' && { noInformation: true }) };
}

/**
 * The fields where most entries have none: what was done on a day is something, though nobody knows what. Only "No procedure data
 * is applicable" is nothing on any day.
 */
export function presentAbsence(
  absence: Absence | null,
  { title, doneOn }: { title: string | null; doneOn: string | null },
): Partial<AbsenceFields> {
  const mayBeDone = absence === 'no information' && !(title !== null && deniesData(title));
  const fields = toAbsenceFields(absence, mayBeDone ? [doneOn] : []);
  return fields.none ? fields : {};
}
