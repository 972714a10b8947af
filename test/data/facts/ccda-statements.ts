import type { Element, Node } from 'slimdom';
import { parseCda } from '../../../documents/ccda/parse-cda.ts';
import { normalize } from './text-units.ts';

/** Something an entry of a C-CDA document states that its section also states in words. */
export interface CcdaStatement {
  /** Title of the section. */
  section: string;
  sectionCode: string;
  /** `section[2].entry[1]`, as the converter names places. */
  position: string;
  /** `observation/value`, with the element that states it. */
  element: string;
  /** Words of which any states it. */
  wordings: string[];
}

/** Sections with coded entries, by LOINC. */
export const SWEPT: ReadonlyMap<string, string> = new Map([
  ['11450-4', 'problems'],
  ['48765-2', 'allergies'],
  ['10160-0', 'medications'],
  ['30954-2', 'results'],
  ['8716-3', 'vital signs'],
  ['11369-6', 'immunizations'],
  ['47519-4', 'procedures'],
  ['46240-8', 'encounters'],
  ['29762-2', 'social history'],
  ['61146-7', 'goals'],
  ['18776-5', 'plan of treatment'],
  ['10157-6', 'family history'],
  ['47420-5', 'functional status'],
  ['10190-7', 'mental status'],
  ['46264-8', 'devices'],
]);

/** Reads every statement of the swept sections that a reader of the narrative sees. */
export function readCcdaStatements(bytes: Buffer): CcdaStatement[] {
  const root = parseCda(bytes);
  const ids = indexIds(root);
  return listSections(root, '').flatMap(({ element, position }) => {
    const code = getChild(element, 'code')?.getAttribute('code') ?? '';
    const name = SWEPT.get(code);
    const narrative = ` ${normalize(getWords(getChild(element, 'text')))} `;
    if (name === undefined) return [];
    return getChildren(element, 'entry').flatMap((entry, index) =>
      listStated(entry)
        .map((stated) => ({ element: describe(stated), wordings: spell(stated, ids) }))
        .filter(({ wordings }) => wordings.some((each) => isSeen(narrative, each)))
        .map((stated) => ({
          section: name,
          sectionCode: code,
          position: `${position}.entry[${index + 1}]`,
          ...stated,
        })),
    );
  });
}

const isSeen = (narrative: string, wordings: string): boolean => {
  const words = normalize(wordings);
  return words.length > 0 && narrative.includes(` ${words} `);
};

/** The sections of a document, each with its place. */
function listSections(element: Element, parent: string): { element: Element; position: string }[] {
  const sections = parent === '' ? listTopSections(element) : listInner(element);
  return sections.flatMap((section, index) => {
    const position = `${parent}section[${index + 1}]`;
    return [{ element: section, position }, ...listSections(section, `${position}.`)];
  });
}

/** Of a whole document, or of a part of one: the published examples are single sections. */
function listTopSections(root: Element): Element[] {
  if (root.localName === 'section') return [root];
  const bodies = [root, ...getChildren(root, 'component')].flatMap((each) =>
    getChildren(each, 'structuredBody'),
  );
  return [
    ...(root.localName === 'component' ? getChildren(root, 'section') : []),
    ...[...(root.localName === 'structuredBody' ? [root] : []), ...bodies].flatMap(listInner),
  ];
}

const listInner = (element: Element): Element[] =>
  getChildren(element, 'component').flatMap((each) => getChildren(each, 'section'));

const STATED = new Set([
  'value',
  'effectiveTime',
  'interpretationCode',
  'referenceRange',
  'doseQuantity',
  'routeCode',
  'targetSiteCode',
]);

/** The elements that state something, with the codes of what is related to an entry. */
function listStated(element: Element): Element[] {
  return element.children.flatMap((child) => {
    if (STATED.has(child.localName)) return [child];
    const isRelated = child.localName === 'code' && element.parentElement?.localName === 'entryRelationship';
    return isRelated ? [child] : listStated(child);
  });
}

const describe = (element: Element): string => {
  const related = closest(element, 'entryRelationship') ? 'entryRelationship/' : '';
  return `${related}${element.parentElement?.localName ?? ''}/${element.localName}`;
};

function closest(element: Element, name: string): boolean {
  for (let each = element.parentElement; each && each.localName !== 'entry'; each = each.parentElement)
    if (each.localName === name) return true;
  return false;
}

/** Ways in which an element's own words are written. */
function spell(element: Element, ids: ReadonlyMap<string, Element>): string[] {
  const { localName } = element;
  if (localName === 'effectiveTime' || /^(IVL_)?TS$/.test(getType(element))) return spellTimes(element);
  if (localName === 'referenceRange') return spellRange(element, ids);
  const values = [
    element,
    ...getChildren(element, 'low'),
    ...getChildren(element, 'high'),
    ...getChildren(element, 'center'),
  ]
    .map((each) => each.getAttribute('value') ?? '')
    .filter(Boolean);
  const original = getChild(element, 'originalText');
  const link = (getChild(original, 'reference') ?? getChild(element, 'reference'))
    ?.getAttribute('value')
    ?.replace(/^#/, '');
  const words = [
    element.getAttribute('displayName') ?? '',
    getWords(original),
    getWords(link === undefined ? null : ids.get(link)),
    ...getChildren(element, 'translation').map((each) => each.getAttribute('displayName') ?? ''),
    element.children.length === 0 ? getWords(element) : '',
  ];
  return [...values, ...words].map((each) => each.trim()).filter(Boolean);
}

const getType = (element: Element): string =>
  (element.getAttributeNS('http://www.w3.org/2001/XMLSchema-instance', 'type') ?? '').replace(/^.*:/, '');

function spellRange(element: Element, ids: ReadonlyMap<string, Element>): string[] {
  const range = getChild(element, 'observationRange');
  const value = getChild(range, 'value');
  return [...(value ? spell(value, ids) : []), getWords(getChild(range, 'text')).trim()].filter(Boolean);
}

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

/** The usual spellings of a day; hours are left out. */
function spellTimes(element: Element): string[] {
  return [
    element,
    ...getChildren(element, 'low'),
    ...getChildren(element, 'high'),
    ...getChildren(element, 'center'),
  ]
    .map((each) => each.getAttribute('value') ?? '')
    .flatMap(spellDay);
}

export function spellDay(value: string): string[] {
  const [, year, month, day] = /^(\d{4})(\d\d)?(\d\d)?/.exec(value) ?? [];
  if (year === undefined) return [];
  const name = MONTHS[Number(month) - 1];
  if (month === undefined || name === undefined) return [year];
  const short = name.slice(0, 3);
  if (day === undefined)
    return [
      `${year}-${month}`,
      `${month}/${year}`,
      `${name} ${year}`,
      `${short} ${year}`,
      `${name}, ${year}`,
      `${year}${month}`,
    ];
  const days = [day, String(Number(day))];
  return [
    `${year}-${month}-${day}`,
    `${year}${month}${day}`,
    ...days.flatMap((each) => [
      `${month}/${each}/${year}`,
      `${Number(month)}/${each}/${year}`,
      `${name} ${each}, ${year}`,
      `${short} ${each}, ${year}`,
      `${each} ${name} ${year}`,
      `${each} ${short} ${year}`,
    ]),
    `${month}/${day}/${year.slice(2)}`,
  ];
}

function indexIds(root: Element): Map<string, Element> {
  const ids = new Map<string, Element>();
  const walk = (element: Element): void => {
    const id = element.getAttribute('ID');
    if (id !== null) ids.set(id, element);
    element.children.forEach(walk);
  };
  walk(root);
  return ids;
}

/** All text below a node, its elements apart from each other. */
function getWords(node: Node | null | undefined): string {
  if (!node) return '';
  if (node.nodeType === 3 || node.nodeType === 4) return node.nodeValue ?? '';
  return node.childNodes.map(getWords).join(' ');
}

const getChild = (element: Element | null | undefined, name: string): Element | null =>
  element?.children.find(({ localName }) => localName === name) ?? null;
const getChildren = (element: Element | null, name: string): Element[] =>
  element?.children.filter(({ localName }) => localName === name) ?? [];
