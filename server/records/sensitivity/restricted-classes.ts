import { RestrictedScope } from '../../../contract/data-categories.ts';
import type { ParsedResource } from '../found-resource.ts';
import { readAttachment } from '../project/attachment.ts';
import { categoryOf } from '../project/category.ts';
import { codeSystem, conceptTexts } from '../project/codeable-concept.ts';
import type { Element } from '../project/element.ts';
import { classesOfCode } from './code-lists.ts';
import { labelledClasses } from './security-labels.ts';
import { classesOfWords } from './words.ts';

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

interface Found {
  classes: Set<RestrictedScope>;
  words: Set<string>;
}

/**
 * The restricted classes a resource speaks of, in the contract's order: by its security labels, its codes, its words, and
 * those of its notes, which `notes` gives where they are read already. Best effort by nature: what nothing marks stays NORMAL.
 */
export function restrictedClassesOf(
  resource: ParsedResource,
  notes: readonly string[] | null = null,
): RestrictedScope[] {
  const found: Found = { classes: new Set(), words: new Set(notes) };
  walk(resource, found, notes === null);
  if (categoryOf(resource) === 'GENOMIC_DATA') found.classes.add('GENETIC_TESTING');
  if (isPsychotherapyNote(resource)) {
    found.classes.add('PSYCHOTHERAPY_NOTES');
    found.classes.add('MENTAL_HEALTH');
  }
  for (const name of classesOfWords([...found.words].join('\n'))) found.classes.add(name);
  return RestrictedScope.options.filter((name) => found.classes.has(name));
}

/** Without recursion: depth is the sender's choice. */
function walk(root: ParsedResource, found: Found, readNotes: boolean): void {
  const waiting: unknown[] = [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (Array.isArray(node)) {
      for (const member of node as unknown[])
        if (typeof member === 'string') found.words.add(member);
        else if (typeof member === 'object' && member !== null) waiting.push(member);
      continue;
    }
    const here = node as Element;
    readCode(here, found);
    if (readNotes && typeof here['data'] === 'string') readNote(here, found);
    for (const name in here) {
      const value = here[name];
      if (typeof value === 'string') {
        if (!NO_WORDS.has(name)) found.words.add(value);
      } else if (typeof value === 'object' && value !== null) {
        if (LABELS.has(name)) readLabels(value, found);
        const silent = NO_WORDS.has(name) && Array.isArray(value);
        waiting.push(silent ? value.filter((each) => typeof each === 'object') : value);
      }
    }
  }
}

function readCode(here: Element, { classes }: Found): void {
  const code = here['code'];
  if (typeof here['confidentiality'] === 'string')
    for (const name of labelledClasses([here['confidentiality']])) classes.add(name);
  if (typeof code !== 'string') return;
  const system = codeSystem(here['system']);
  for (const name of classesOfCode(system, code.trim())) classes.add(name);
  if (system !== null && ACT_CODE.test(system)) for (const name of labelledClasses([code])) classes.add(name);
}

/** All codes of one label element: Coding, CodeableConcept, CodeableReference or bare text. */
function readLabels(label: object, { classes }: Found): void {
  const codes: string[] = [];
  const waiting: unknown[] = [label];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (typeof node === 'string') codes.push(node);
    if (typeof node !== 'object' || node === null) continue;
    const code = (node as Element)['code'];
    if (typeof code === 'string') codes.push(code);
    for (const value of Object.values(node)) if (typeof value === 'object') waiting.push(value);
    if (Array.isArray(node)) waiting.push(...node.filter((each) => typeof each === 'string'));
  }
  for (const name of labelledClasses(codes)) classes.add(name);
}

function readNote(attachment: Element, { words }: Found): void {
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
    conceptTexts(resource[name]),
  );
  return names.some((name) => PSYCHOTHERAPY_NOTE.test(name));
}
