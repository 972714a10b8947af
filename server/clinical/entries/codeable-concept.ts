import { toElement, toElements, isTrue, toArray, readText } from './element.ts';

export const LOINC = 'http://loinc.org';
export const SNOMED = 'http://snomed.info/sct';
export const RXNORM = 'http://www.nlm.nih.gov/research/umls/rxnorm';
export const CVX = 'http://hl7.org/fhir/sid/cvx';
export const ICD_10_CM = 'http://hl7.org/fhir/sid/icd-10-cm';
export const ICD_10 = 'http://hl7.org/fhir/sid/icd-10';
const NDC = 'http://hl7.org/fhir/sid/ndc';

/** The same code system under the name that CDA-born data gives it. */
const SYSTEM_OF_OID = new Map([
  ['urn:oid:2.16.840.1.113883.6.1', LOINC],
  ['urn:oid:2.16.840.1.113883.6.96', SNOMED],
  ['urn:oid:2.16.840.1.113883.6.88', RXNORM],
  ['urn:oid:2.16.840.1.113883.6.90', ICD_10_CM],
  ['urn:oid:2.16.840.1.113883.6.69', NDC],
  ['urn:oid:2.16.840.1.113883.12.292', CVX],
]);

/** Said before a code that nobody gave a name: "CVX 140" tells more than "140". */
const SYSTEM_NAMES = new Map([
  [LOINC, 'LOINC'],
  [SNOMED, 'SNOMED CT'],
  [RXNORM, 'RxNorm'],
  [CVX, 'CVX'],
  [ICD_10_CM, 'ICD-10-CM'],
  [ICD_10, 'ICD-10'],
  [NDC, 'NDC'],
]);

interface Coding {
  system: string | null;
  code: string | null;
  display: string | null;
  userSelected: boolean;
}

export function normalizeCodeSystem(value: unknown): string | null {
  const written = readText(value)?.replace(/\/+$/, '') ?? null;
  if (written === null) return null;
  if (written.startsWith(`${SNOMED}/`)) return SNOMED;
  return SYSTEM_OF_OID.get(written.toLowerCase()) ?? written;
}

function parseCoding(value: unknown): Coding {
  const written = toElement(value);
  return {
    system: normalizeCodeSystem(written?.['system']),
    code: readText(written?.['code']),
    display: readText(written?.['display']),
    userSelected: isTrue(written?.['userSelected']),
  };
}

/** The codings of a CodeableConcept, of a list of them, or a bare Coding. */
export function parseCodings(value: unknown): Coding[] {
  return toElements(value)
    .flatMap((concept) => ('coding' in concept ? toElements(concept['coding']) : [concept]).map(parseCoding))
    .filter(({ code, display }) => code !== null || display !== null);
}

/** What a person reads: the text, else a display, else the code with its system's name. */
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

/** The name a code system gives, whatever the sender called it; else the sender's words. */
export function getDisplay(value: unknown): string | null {
  return parseCodings(value).find(({ display }) => display !== null)?.display ?? formatConcept(value);
}

function formatCodings(all: Coding[]): string | null {
  const named = all.filter(({ display }) => display !== null);
  const best = named.find(({ userSelected }) => userSelected) ?? named[0];
  if (best) return best.display;
  const [first] = all;
  if (!first?.code) return null;
  const name = first.system === null ? undefined : SYSTEM_NAMES.get(first.system);
  return name === undefined ? first.code : `${name} ${first.code}`;
}

/** `system|code` of the coding that names it best: a preferred system first, then the one the user chose, then the first. */
export function toCodeKey(value: unknown, preferred: readonly string[] = []): string | null {
  const coded = parseCodings(value).filter(({ code }) => code !== null);
  const inPreferred = preferred.flatMap((name) => coded.find((each) => each.system === name) ?? []);
  const best = inPreferred[0] ?? coded.find(({ userSelected }) => userSelected) ?? coded[0];
  return best === undefined ? null : `${best.system ?? ''}|${best.code}`;
}

/** Codes of one system; a coding that names no system counts for every system asked about. */
export function listCodes(value: unknown, wanted: string): string[] {
  return parseCodings(value).flatMap(({ system, code }) =>
    code !== null && (system === wanted || system === null) ? code : [],
  );
}

/** A status: the code of a `code` or CodeableConcept element, in lower case. */
export function readStatusCode(value: unknown): string | null {
  const written =
    readText(value) ?? parseCodings(value).find(({ code }) => code !== null)?.code ?? formatConcept(value);
  return written === null ? null : written.toLowerCase();
}

/** Names that differ in case, width or spacing only are one name. */
export function normalizeName(name: string): string {
  return name.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim();
}
