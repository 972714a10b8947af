import { RestrictedScope } from '../../../contract/data-categories.ts';
import type { ParsedResource } from '../store/found-resource.ts';
import { readAttachment } from '../entries/attachment.ts';
import { categorizeResource } from '../entries/category.ts';
import { normalizeCodeSystem, formatConcepts } from '../entries/codeable-concept.ts';
import type { Element } from '../entries/element.ts';
import { classifyCode } from './code-lists.ts';
import { parseSecurityLabels } from './security-labels.ts';
import { classifyText } from './words.ts';

/** Elements whose strings are no words: names of things, of people and of places, dates, data. */
const NO_WORDS = new Set(
  [
    'id fullUrl reference system url code version versionId lastUpdated status data hash contentType language',
    'resourceType profile use family given prefix suffix line city district state postalCode country rank',
    'unit currency start end birthDate gender implicitRules source',
  ].flatMap((line) => line.split(' ')),
);

const LABELS = new Set(['security', 'securityLabel']);

const ACT_CODE = /v3-ActCode$|2\.16\.840\.1\.113883\.5\.4$/;

interface Findings {
  classes: Set<RestrictedScope>;
  words: Set<string>;
}

/**
 * The restricted classes a resource speaks of, in the contract's order: by its security labels, its codes, its words, and
 * those of its notes, which `notes` gives where they are read already. Best effort by nature: what nothing marks stays NORMAL.
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

/** Without recursion: depth is the sender's choice. */
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
        if (LABELS.has(name)) readLabels(value, found);
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

/** All codes of one label element: Coding, CodeableConcept, CodeableReference or bare text. */
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
 * By what it is called: HIPAA's psychotherapy notes (45 CFR 164.501) are kept apart, and no code system has one for them.
 * Counseling notes of substance use programs (42 CFR 2.11) are likewise, and shared under no consent for the others.
 */
function isPsychotherapyNote(resource: ParsedResource): boolean {
  if (!NOTES.has(resource.resourceType)) return false;
  const names = ['type', 'category', 'code', 'title', 'description'].flatMap((name) =>
    formatConcepts(resource[name]),
  );
  return names.some((name) => PSYCHOTHERAPY_NOTE.test(name));
}
