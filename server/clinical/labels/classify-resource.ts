import { RestrictedScope } from '../../../contract/data-categories.ts';
import type { ParsedResource } from '../store/found-resource.ts';
import { readAttachment } from '../entries/attachment.ts';
import { categorizeResource } from '../entries/category.ts';
import { normalizeCodeSystem, formatConcepts } from '../entries/codeable-concept.ts';
import type { Element } from '../entries/element.ts';
import { classifyCode } from './code-lists.ts';
import { classifyText } from './words.ts';

/** Elements whose strings are not searched for words: identifiers, codes, names of people, addresses, dates, data. */
const NO_WORDS = new Set(
  [
    'id fullUrl reference system url code version versionId lastUpdated status data hash contentType language',
    'resourceType profile use family given prefix suffix line city district state postalCode country rank',
    'unit currency start end birthDate gender implicitRules source',
  ].flatMap((line) => line.split(' ')),
);

const LABEL_ELEMENTS = new Set(['security', 'securityLabel']);

const ACT_CODE = /v3-ActCode$|2\.16\.840\.1\.113883\.5\.4$/;

interface Findings {
  classes: Set<RestrictedScope>;
  words: Set<string>;
}

/**
 * Returns the restricted classes of a resource in the contract's order: by its security labels, its codes, its words, and
 * the words of its notes, which `notes` holds where they are read already. Best effort by nature: an unmarked fact is NORMAL.
 */
export function classifyResource(
  resource: ParsedResource,
  notes: readonly string[] | null = null,
): RestrictedScope[] {
  const found: Findings = { classes: new Set(), words: new Set(notes) };
  walk(resource, found, notes === null);
  if (categorizeResource(resource) === 'GENOMIC_DATA') found.classes.add('GENETIC_TESTING');
  if (isPsychotherapyNote(resource)) {
    found.classes.add('PSYCHOTHERAPY_NOTES');
    found.classes.add('MENTAL_HEALTH');
  }
  for (const name of classifyText([...found.words].join('\n'))) found.classes.add(name);
  return RestrictedScope.options.filter((name) => found.classes.has(name));
}

/** Visits every element, without recursion: depth is the sender's choice. */
function walk(root: ParsedResource, found: Findings, readNotes: boolean): void {
  const pending: unknown[] = [root];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (Array.isArray(node)) {
      for (const member of node as unknown[])
        if (typeof member === 'string') found.words.add(member);
        else if (typeof member === 'object' && member !== null) pending.push(member);
      continue;
    }
    const element = node as Element;
    readCode(element, found);
    if (readNotes && typeof element['data'] === 'string') readNote(element, found);
    for (const name in element) {
      const value = element[name];
      if (typeof value === 'string') {
        if (!NO_WORDS.has(name)) found.words.add(value);
      } else if (typeof value === 'object' && value !== null) {
        if (LABEL_ELEMENTS.has(name)) readLabels(value, found);
        const isSkipped = NO_WORDS.has(name) && Array.isArray(value);
        pending.push(isSkipped ? value.filter((each) => typeof each === 'object') : value);
      }
    }
  }
}

function readCode(element: Element, { classes }: Findings): void {
  const code = element['code'];
  if (typeof element['confidentiality'] === 'string')
    for (const name of parseSecurityLabels([element['confidentiality']])) classes.add(name);
  if (typeof code !== 'string') return;
  const system = normalizeCodeSystem(element['system']);
  for (const name of classifyCode(system, code.trim())) classes.add(name);
  if (system !== null && ACT_CODE.test(system))
    for (const name of parseSecurityLabels([code])) classes.add(name);
}

/** Reads all codes of one label element: Coding, CodeableConcept, CodeableReference or bare text. */
function readLabels(label: object, { classes }: Findings): void {
  const codes: string[] = [];
  const pending: unknown[] = [label];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (typeof node === 'string') codes.push(node);
    if (typeof node !== 'object' || node === null) continue;
    const code = (node as Element)['code'];
    if (typeof code === 'string') codes.push(code);
    for (const value of Object.values(node)) if (typeof value === 'object') pending.push(value);
    if (Array.isArray(node)) pending.push(...node.filter((each) => typeof each === 'string'));
  }
  for (const name of parseSecurityLabels(codes)) classes.add(name);
}

function readNote(attachment: Element, { words }: Findings): void {
  const text = readAttachment(attachment)?.text;
  if (typeof text === 'string') words.add(text);
}

const NOTES = new Set(['DocumentReference', 'Composition', 'DiagnosticReport', 'DocumentManifest', 'Media']);
const PSYCHOTHERAPY_NOTE =
  /\bpsychotherapy\b.{0,20}\bnotes?\b|\bnotas? de psicoterapia\b|\b(?:SUD|substance|alcohol|drug|addiction)\b.{0,30}\bcounsel+ing\b.{0,30}\bnotes?\b|\bnotas? de consejer[ií]a\b.{0,30}\b(?:sustancias|alcohol|drogas)\b/i;

/**
 * Recognizes psychotherapy notes (45 CFR 164.501) by their title: no code system has a code for them. Counseling notes of
 * substance use programs (42 CFR 2.11) are treated alike: neither is shared under a consent for other notes.
 */
function isPsychotherapyNote(resource: ParsedResource): boolean {
  if (!NOTES.has(resource.resourceType)) return false;
  const names = ['type', 'category', 'code', 'title', 'description'].flatMap((name) =>
    formatConcepts(resource[name]),
  );
  return names.some((name) => PSYCHOTHERAPY_NOTE.test(name));
}

/** HL7 v3 ActCode: sensitivity (_ActInformationSensitivityPolicy) and law (42CFRPart2). */
const SECURITY_LABELS: readonly [string, readonly RestrictedScope[]][] = [
  ['HIV STD', ['HIV_OR_STI']],
  ['ETH ETHUD OPIOIDUD SUD', ['SUBSTANCE_USE_OR_DRUG_ABUSE']],
  ['42CFRPART2 42CFRPART2CD', ['SUD_PART_2']],
  ['PSY MH EMOTDIS', ['MENTAL_HEALTH']],
  ['BH', ['MENTAL_HEALTH', 'SUBSTANCE_USE_OR_DRUG_ABUSE']],
  ['PSYTHPN', ['PSYCHOTHERAPY_NOTES', 'MENTAL_HEALTH']],
  ['GDIS', ['GENETIC_TESTING']],
  ['SEX PREGNANT', ['REPRODUCTIVE_HEALTH_DATA']],
  ['SCA SICKLE', ['SICKLE_CELL']],
  // HL7 v3 Confidentiality: protected more than usual, without saying why. It may be any of them.
  ['R V', RestrictedScope.options],
];

const CLASSES_BY_LABEL: ReadonlyMap<string, readonly RestrictedScope[]> = new Map([
  ...SECURITY_LABELS.flatMap(([codes, classes]) => codes.split(' ').map((code) => [code, classes] as const)),
  ...RestrictedScope.options.map((name) => [name, [name]] as const),
]);

/** Returns the classes of security labels; a label on the degree of confidentiality counts only where none says what it is about. */
function parseSecurityLabels(codes: readonly string[]): readonly RestrictedScope[] {
  const written = codes.map((code) => code.toUpperCase());
  const reasons = written.filter((code) => code !== 'R' && code !== 'V');
  const specific = reasons.flatMap((code) => CLASSES_BY_LABEL.get(code) ?? []);
  return specific.length > 0 ? specific : written.flatMap((code) => CLASSES_BY_LABEL.get(code) ?? []);
}
