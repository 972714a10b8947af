import { memoizeRecent } from '../../platform/kernel/memoize-recent.ts';
import { findCodeName } from './code-names.ts';
import { toElement, toElements, isTrue, toArray, readText, type Element } from './element.ts';
import { trimEnding } from '../../platform/kernel/trim-ending.ts';

export const LOINC = 'http://loinc.org';
export const SNOMED = 'http://snomed.info/sct';
export const RXNORM = 'http://www.nlm.nih.gov/research/umls/rxnorm';
export const CVX = 'http://hl7.org/fhir/sid/cvx';
export const ICD_10_CM = 'http://hl7.org/fhir/sid/icd-10-cm';
export const ICD_10 = 'http://hl7.org/fhir/sid/icd-10';
export const NDC = 'http://hl7.org/fhir/sid/ndc';
export const UCUM = 'http://unitsofmeasure.org';

/** Code systems by the OID that data from CDA names them with. */
const SYSTEM_BY_OID = new Map([
  ['urn:oid:2.16.840.1.113883.6.1', LOINC],
  ['urn:oid:2.16.840.1.113883.6.96', SNOMED],
  ['urn:oid:2.16.840.1.113883.6.88', RXNORM],
  ['urn:oid:2.16.840.1.113883.6.90', ICD_10_CM],
  ['urn:oid:2.16.840.1.113883.6.69', NDC],
  ['urn:oid:2.16.840.1.113883.12.292', CVX],
  ['urn:oid:2.16.840.1.113883.6.3', ICD_10],
  ['urn:oid:2.16.840.1.113883.6.103', 'http://hl7.org/fhir/sid/icd-9-cm'],
  ['urn:oid:2.16.840.1.113883.6.12', 'http://www.ama-assn.org/go/cpt'],
  ['urn:oid:2.16.840.1.113883.6.73', 'http://www.whocc.no/atc'],
]);

/** Written before a code without a display: "CVX 140" says more than "140". */
export const SYSTEM_NAMES: ReadonlyMap<string, string> = new Map([
  [LOINC, 'LOINC'],
  [SNOMED, 'SNOMED CT'],
  [RXNORM, 'RxNorm'],
  [CVX, 'CVX'],
  [ICD_10_CM, 'ICD-10-CM'],
  [ICD_10, 'ICD-10'],
  [NDC, 'NDC'],
  ['http://hl7.org/fhir/sid/icd-9-cm', 'ICD-9-CM'],
  ['http://hl7.org/fhir/sid/icd-10-pcs', 'ICD-10-PCS'],
  ['http://www.cms.gov/Medicare/Coding/ICD10', 'ICD-10-PCS'],
  ['http://fhir.de/CodeSystem/bfarm/icd-10-gm', 'ICD-10-GM'],
  ['http://fhir.de/CodeSystem/dimdi/icd-10-gm', 'ICD-10-GM'],
  ['http://fhir.de/CodeSystem/bfarm/ops', 'OPS'],
  ['http://fhir.de/CodeSystem/dimdi/ops', 'OPS'],
  ['http://www.whocc.no/atc', 'ATC'],
  ['http://fhir.de/CodeSystem/bfarm/atc', 'ATC'],
  ['http://fhir.de/CodeSystem/ifa/pzn', 'PZN'],
  ['http://www.ama-assn.org/go/cpt', 'CPT'],
  ['http://www.cms.gov/Medicare/Coding/HCPCSReleaseCodeSets', 'HCPCS'],
  ['http://hl7.org/fhir/sid/icd-o-3', 'ICD-O-3'],
  ['http://fdasis.nlm.nih.gov', 'UNII'],
]);

const SNOMED_EDITION = `${SNOMED}/`;

export interface Coding {
  system: string | null;
  code: string | null;
  display: string | null;
  userSelected: boolean;
}

export function normalizeCodeSystem(value: unknown): string | null {
  const text = readText(value);
  if (text === null) return null;
  const written = trimEnding(text, '/');
  if (written.startsWith(SNOMED_EDITION)) return SNOMED;
  return /^urn:oid:/i.test(written) ? (SYSTEM_BY_OID.get(written.toLowerCase()) ?? written) : written;
}

const parseCoding = (written: Element): Coding => ({
  system: normalizeCodeSystem(written['system']),
  code: readText(written['code']),
  display: readText(written['display']),
  userSelected: isTrue(written['userSelected']),
});

/** Parses the codings of a CodeableConcept, of a list of them, or a bare Coding. */
export function parseCodings(value: unknown): readonly Coding[] {
  if (typeof value !== 'object' || value === null) return [];
  return parseMemoized(value);
}

/** The code of a resource is asked for a dozen times while its entries are built, and its categories as often. */
const parseMemoized = memoizeRecent(12, readCodings);

function readCodings(value: object): readonly Coding[] {
  const codings: Coding[] = [];
  for (const concept of toElements(value))
    for (const written of 'coding' in concept ? toElements(concept['coding']) : [concept]) {
      const coding = parseCoding(written);
      if (coding.code !== null || coding.display !== null) codings.push(coding);
    }
  return codings;
}

/** Formats a concept for a person: the text, else a display, else a code with its system's name, one of a known system first. */
export function formatConcept(value: unknown): string | null {
  for (const concept of toArray(value)) {
    const words =
      readText(concept) ?? readText(toElement(concept)?.['text']) ?? formatCodings(parseCodings(concept));
    if (words !== null) return words;
  }
  return null;
}

export function formatConcepts(value: unknown): string[] {
  return toArray(value).flatMap((concept) => formatConcept(concept) ?? []);
}

/** Returns the display of the code, whatever the sender's text says; else the text. */
export function getDisplay(value: unknown): string | null {
  return (
    leaveOutAbsent(parseCodings(value)).find(({ display }) => display !== null)?.display ??
    formatConcept(value)
  );
}

const ABSENCE_SYSTEM = /(?:NullFlavor|data-absent-reason)$/i;
/** v3-NullFlavor as data from CDA names it. */
const ABSENCE_OID = /^urn:oid:2\.16\.840\.1\.113883\.5\.1008$/i;

/** Whether a coding says why there is none (v3-NullFlavor, data-absent-reason). */
export const isOfAbsence = ({ system }: Coding): boolean =>
  system !== null && (ABSENCE_SYSTEM.test(system) || ABSENCE_OID.test(system));

/** Leaves out what says why there is no code of the system that was asked for, where another coding says what it is. */
export function leaveOutAbsent(codings: readonly Coding[]): readonly Coding[] {
  if (codings.length < 2 || !codings.some(isOfAbsence)) return codings;
  const others = codings.filter((each) => !isOfAbsence(each));
  return others.length === 0 ? codings : others;
}

function formatCodings(written: readonly Coding[]): string | null {
  const all = leaveOutAbsent(written);
  const named = all.filter(({ display }) => display !== null);
  const best = named.find(({ userSelected }) => userSelected) ?? named[0];
  if (best) return best.display;
  const ours = all.flatMap(({ system, code }) => findCodeName(system, code) ?? [])[0];
  if (ours !== undefined) return ours;
  const inKnown = all.find(({ system }) => system !== null && isKnownSystem(system));
  const isNumber = inKnown !== undefined && !WORD.test(inKnown.code ?? '');
  const known =
    (isNumber && !isOfHl7(inKnown) && all.find(({ code }) => WORD.test(code ?? ''))) || (inKnown ?? all[0]);
  if (!known?.code) return null;
  const name = known.system === null ? undefined : SYSTEM_NAMES.get(known.system);
  return name === undefined ? known.code : `${name} ${known.code}`;
}

/** A code that is a word ("Rash", "Checkup") says more than the number of a catalogue. */
const WORD = /^\p{L}[\p{L} '-]{2,}$/u;

const isOfHl7 = ({ system }: Coding): boolean => HL7_SYSTEM.test(system ?? '');

const HL7_SYSTEM = /^https?:\/\/(?:terminology\.)?hl7\.org\//;

/** Whether a code says by its system what it means: HL7's are words, or are looked up as easily as those of a catalogue. */
const isKnownSystem = (system: string): boolean => SYSTEM_NAMES.has(system) || HL7_SYSTEM.test(system);

/** Returns `system|code` of the coding that names it best: a preferred system first, then `userSelected`, then the first. */
export function toCodeKey(value: unknown, preferred: readonly string[] = []): string | null {
  const coded = leaveOutAbsent(parseCodings(value).filter(({ code }) => code !== null));
  const inPreferred = preferred.flatMap((name) => coded.find((each) => each.system === name) ?? []);
  const best = inPreferred[0] ?? coded.find(({ userSelected }) => userSelected) ?? coded[0];
  return best === undefined ? null : `${best.system ?? ''}|${best.code}`;
}

/** Lists the codes of one system; a coding that names no system counts for any. */
export function listCodes(value: unknown, wanted: string): string[] {
  return parseCodings(value).flatMap(({ system, code }) =>
    code !== null && (system === wanted || system === null) ? code : [],
  );
}

/** ASCII with single spaces, as most names are. */
const PLAIN_NAME = /^[!-~]+(?: [!-~]+)*$/;

/** Normalizes case, width and spacing, in which equal names may differ. */
export function normalizeName(name: string): string {
  if (PLAIN_NAME.test(name)) return name.toLowerCase();
  return name.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim();
}
