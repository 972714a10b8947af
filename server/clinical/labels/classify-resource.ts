import { RestrictedScope, type ResourceScope } from '../../../contract/data-categories.ts';
import { mentionsFhir } from '../../../documents/fhir/mentions-fhir.ts';
import { htmlToFullText } from '../../../documents/html/html-to-text.ts';
import type { ParsedResource } from '../store/found-resource.ts';
import { categorizeResource } from '../entries/category.ts';
import { formatConcepts } from '../entries/codeable-concept.ts';
import { toArray, toElements, type Element } from '../entries/element.ts';
import { decodeBase64Within } from './decode-within.ts';
import {
  findContent,
  findInlineContents,
  readContents,
  type EmbeddedContent,
  type GetExtractedText,
  type UnreadContent,
} from './embedded-content.ts';
import { readDrugNames, type DrugNames } from './drug-names.ts';
import { decodeLoosely } from './name-words.ts';
import { readNamedValues } from './named-values.ts';
import { namesPerson, type Place } from './names-of-people.ts';
import { categorizeNested } from './nested-resource.ts';
import { addRaceParts, isRaceForm } from './race-codes.ts';
import { readCode, readConfidentiality, readLabels } from './read-codes.ts';
import { isFeeling, isPassingFeeling } from './reactions.ts';
import { createWordClassifier, type ClassifyWords } from './word-classifier.ts';
import { classifyDrugLines, classifyDrugName, namesPsychotherapyNote, withoutBrands } from './words.ts';

/** Elements whose strings are not searched for words: names of people, where they live, dates, data, what FHIR alone may name. */
const NO_WORDS = new Set(
  [
    'code reference versionId lastUpdated status data hash resourceType language start end birthDate',
    'family given line city district state postalCode country',
  ].flatMap((line) => line.split(' ')),
);

/** Elements whose strings are names of several words without a space between them: ids, addresses, what a device is called. */
const NAMES = new Set(
  [
    'id fullUrl url system profile source implicitRules',
    // Of a device: any number, and no code.
    'modelNumber serialNumber lotNumber partNumber distinctIdentifier',
  ].flatMap((line) => line.split(' ')),
);
/** What stands before and behind a name: who treats somebody says there for what. */
const TITLES = new Set(['prefix', 'suffix']);
const ADDRESS = /^(?:https?|urn|oid|ftp):\S+$/i;

/** `cg` is a hundredth of a gram. */
const MAX_UNIT_LENGTH = 3;

/** Markup that may stand inside of a word, or for a letter of one: after whatever is no ASCII punctuation. */
const BROKEN_WORD = /[^\s!-/:-@[-^`{-~]<|&[#a-z]/i;

/** A letter written as in HTML, in a string that is none. */
const ENTITY = /&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z]{2,8});/i;

/** Of a reaction, and of nothing else: that of an illness is one. */
const MANIFESTATION = 'reaction.manifestation';

interface Findings extends DrugNames {
  classes: Set<RestrictedScope>;
  /** Some of them several times: the classifier knows a text that it has read. */
  words: string[];
  /** Ids, addresses and codes that may be words. */
  names: string[];
  contents: EmbeddedContent[];
  nested: ParsedResource[];
  binaries: Set<string>;
  /** Elements within what says somebody's race or ethnicity. */
  raceParts: Set<object>;
}

/** What a consent must cover for a resource to be shown, beyond its own category. */
export interface Classification {
  /** In the contract's order. */
  classes: RestrictedScope[];
  /** The categories of the resources inside of it. */
  nestedCategories: ResourceScope[];
  /** The ids of the Binaries that it names. */
  binaries: string[];
  /** Content whose words are not known; it may be of any class. */
  unread: UnreadContent[];
}

/**
 * Classifies a resource: by its security labels, its codes, its words, and the words of all content inside of it, of which
 * `getText` returns what is no plain text. Best effort by nature: an unmarked fact is NORMAL.
 */
export function classifyResource(
  resource: ParsedResource,
  getText: GetExtractedText = () => null,
  classifyWords: ClassifyWords = createWordClassifier(),
): Classification {
  const found: Findings = {
    classes: new Set(),
    words: [],
    names: [],
    drugs: [],
    drugLines: [],
    contents: [],
    nested: [],
    binaries: new Set(),
    raceParts: new Set(),
  };
  walk(resource, found);
  const unread = readAllContents(found, getText);
  for (const each of [resource, ...found.nested]) classifyType(each, found.classes);
  for (const name of found.drugs.flatMap(classifyDrugName)) found.classes.add(name);
  for (const name of found.drugLines.flatMap(classifyDrugLines)) found.classes.add(name);
  for (const name of classifyWords(found.words, found.names)) found.classes.add(name);
  return {
    classes: RestrictedScope.options.filter((name) => found.classes.has(name)),
    nestedCategories: [...new Set(found.nested.flatMap(categorizeNested))],
    binaries: [...found.binaries],
    unread,
  };
}

/** Content in content in content; what is packed may hold itself. */
const MAX_DEPTH = 4;

/** Reads all content, and that of the resources in it. What those name is in no record. Returns what could not be read. */
function readAllContents(found: Findings, getText: GetExtractedText): UnreadContent[] {
  const unread: UnreadContent[] = [];
  let contents = found.contents;
  for (let depth = 1; contents.length > 0; depth++) {
    const inside = { ...found, contents: [], binaries: new Set<string>() };
    const onValue = depth === MAX_DEPTH ? null : (value: object) => walk([value], inside);
    const read = readContents(contents, getText, onValue);
    for (const text of read.texts) found.words.push(text);
    unread.push(...read.unread);
    contents = inside.contents;
  }
  return unread;
}

function classifyType(resource: ParsedResource, classes: Set<RestrictedScope>): void {
  if (categorizeResource(resource) === 'GENOMIC_DATA') classes.add('GENETIC_TESTING');
  if (countsAborted(resource)) classes.add('REPRODUCTIVE_HEALTH_DATA');
  if (!isPsychotherapyNote(resource)) return;
  classes.add('PSYCHOTHERAPY_NOTES');
  classes.add('MENTAL_HEALTH');
}

const ABORTED = new Set(['aborted', 'abortado', 'abortada', 'abortados', 'abortadas']);

/** The word alone is a status; with a number it is the count of a woman's pregnancies that ended so. */
function countsAborted(resource: ParsedResource): boolean {
  if (resource.resourceType !== 'Observation') return false;
  return [resource as Element, ...toElements(resource['component'])].some(
    (each) =>
      (each['valueInteger'] ?? each['valueQuantity']) !== undefined &&
      formatConcepts(each['code']).some((name) => ABORTED.has(name.trim().toLowerCase())),
  );
}

/** Visits every element, without recursion: depth is the sender's choice. A member of a list has the name of the list. */
function walk(root: object, found: Findings): void {
  const nodes: object[] = [root];
  const names = [''];
  const owners = [''];
  let owner = '';
  const visit = (value: unknown, name: string): void => {
    if (typeof value === 'string') {
      if (owner === 'Practitioner' || !TITLES.has(name)) readString(value, name, found);
      if (name === 'div' ? BROKEN_WORD.test(value) : value.includes('&') && ENTITY.test(value))
        found.words.push(htmlToFullText(value));
      if (value.includes('Binary/')) readBinaryName(value, found.binaries);
      if (value.length > MIN_RESOURCE_LENGTH && mentionsFhir(value))
        found.contents.push(toContent(value, name));
      if (name !== 'url' && name !== 'data' && value.includes('data:'))
        found.contents.push(...findInlineContents(value));
    } else if (typeof value === 'object' && value !== null) {
      nodes.push(value);
      names.push(name);
      owners.push(owner);
    }
  };
  for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
    const name = names.pop() ?? '';
    owner = owners.pop() ?? '';
    if (Array.isArray(node)) {
      for (const member of node as unknown[])
        if (name !== MANIFESTATION || !isPassingFeeling(member)) visit(member, name);
      continue;
    }
    const element = node as Element;
    if (typeof element['resourceType'] === 'string') {
      owner = element['resourceType'];
      if (node !== root) found.nested.push(node as ParsedResource);
    }
    let mayHoldContent = false;
    addRaceParts(element, name, found.raceParts);
    const isRace = found.raceParts.size > 0 && found.raceParts.has(element);
    for (const key in element) {
      if (isRace && isRaceForm(element[key])) continue;
      if (key === 'description' && name === 'reaction' && isFeeling(element[key])) continue;
      readMember(element, key, { name, owner, found });
      mayHoldContent ||= CONTENT_ELEMENTS.has(key);
      const inner = key === 'manifestation' && name === 'reaction' ? MANIFESTATION : key;
      visit(readValue(element, key, { name, owner }), inner);
    }
    if (mayHoldContent) found.contents.push(...findContent(element, name));
  }
}

/** Who is called like a brand takes none; what holds data is no name. */
function readValue(element: Element, key: string, place: Place): unknown {
  const value = element[key];
  if (typeof value !== 'string' || value.includes('{')) return value;
  return namesPerson(element, key, place) ? withoutBrands(value) : value;
}

function readString(value: string, name: string, { words, names }: Findings): void {
  if (NAMES.has(name)) names.push(value);
  else if (!NO_WORDS.has(name) && (name !== 'unit' || value.length > MAX_UNIT_LENGTH)) {
    words.push(value, ...decodeBase64Within(value).words);
    if (ADDRESS.test(value)) names.push(value);
  }
}

/** A string that holds FHIR is content as an attachment is. */
const toContent = (text: string, name: string): EmbeddedContent => ({
  element: {
    contentType: name === 'div' ? 'text/html; charset=utf-8' : 'text/plain; charset=utf-8',
    data: Buffer.from(text).toString('base64'),
  },
  isPhoto: false,
});

/** `{"resourceType":"List"}` */
const MIN_RESOURCE_LENGTH = 20;

const CONTENT_ELEMENTS = new Set(['data', 'url', 'query', 'valueBase64Binary', 'carrierAIDC']);

/** Reads what the element itself says by one of its members; asking for each of these members by name takes twice as long. */
function readMember(element: Element, key: string, place: Place & { found: Findings }): void {
  const { name, found } = place;
  readDrugNames(element, key, place);
  switch (key) {
    case 'code':
      readNamedValues(element, found);
      return readCode(element, found);
    case 'confidentiality':
      return readConfidentiality(element, found.classes);
    case 'security':
    case 'securityLabel':
      return readLabels(element[key], found.classes);
    case 'url':
      return readAddress(element, name, found);
    case 'address':
      return readPlace(element, found);
  }
}

/** Reads what a building is called; the address of a person says where they live. */
function readPlace({ resourceType, address }: Element, { words }: Findings): void {
  if (resourceType !== 'Location' && resourceType !== 'Organization') return;
  for (const each of toElements(address))
    words.push(...toArray(each['line']).filter((line) => typeof line === 'string'));
}

/** Reads the words of the address of a file; those of extensions and definitions are names, not addresses. */
function readAddress({ url, resourceType }: Element, name: string, { words }: Findings): void {
  if (typeof url !== 'string' || resourceType !== undefined || /extension$/i.test(name)) return;
  if (!/^data:/i.test(url)) words.push(decodeLoosely(url).replace(/[-_/.+=&?]+/g, ' '));
}

/** `Binary/1`, with or without the address of a server before it and a version behind it. */
function readBinaryName(reference: string, binaries: Set<string>): void {
  const [, id] = /(?:^|\/)Binary\/([A-Za-z0-9.-]{1,64})(?:$|[/?#|])/.exec(reference) ?? [];
  if (id !== undefined) binaries.add(id);
}

const NOTES = new Set(['DocumentReference', 'Composition', 'DiagnosticReport', 'DocumentManifest', 'Media']);

/**
 * Recognizes psychotherapy notes (45 CFR 164.501) by their title: no code system has a code for them. Counseling notes of
 * substance use programs (42 CFR 2.11) are treated alike: neither is shared under a consent for other notes.
 */
function isPsychotherapyNote(resource: ParsedResource): boolean {
  if (!NOTES.has(resource.resourceType)) return false;
  const names = ['type', 'category', 'code', 'title', 'description'].flatMap((name) =>
    formatConcepts(resource[name]),
  );
  return names.some(namesPsychotherapyNote);
}
