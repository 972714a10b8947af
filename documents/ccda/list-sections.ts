import type { Element } from 'slimdom';
import { selectAll, getAttribute, getChild, getChildren, getTemplateIds, getText } from './elements.ts';
import type { CdaEntry, Section } from './section.ts';

/** Lists the sections of a document or of a part of one, each before the sections inside of it. */
export function listSections(root: Element): Section[] {
  switch (root.localName) {
    case 'section':
      return collectSections([root], '');
    case 'component':
      return collectSections(getComponentSections(root), '');
    case 'structuredBody':
      return collectSections(selectAll(root, 'component/section'), '');
    default:
      return collectSections(selectAll(root, 'component/structuredBody/component/section'), '');
  }
}

function collectSections(elements: readonly Element[], parent: string): Section[] {
  return elements.flatMap((element, index) => {
    const section = parseSection(element, `${parent}section[${index + 1}]`);
    return [section, ...collectSections(selectAll(element, 'component/section'), `${section.position}.`)];
  });
}

const getComponentSections = (component: Element): Element[] => [
  ...getChildren(component, 'section'),
  ...selectAll(component, 'structuredBody/component/section'),
];

function parseSection(element: Element, position: string): Section {
  const code = getChild(element, 'code');
  return {
    element,
    code: getAttribute(code, 'code'),
    title: getText(getChild(element, 'title')) ?? getAttribute(code, 'displayName'),
    templates: getTemplateIds(element),
    position,
    entries: getChildren(element, 'entry').flatMap((entry, index) =>
      parseEntry(entry, `${position}.entry[${index + 1}]`),
    ),
  };
}

/** Parses an entry, which holds one statement; an empty entry is left out. */
function parseEntry(entry: Element, position: string): CdaEntry[] {
  const statement = entry.children.find(({ localName }) => !NON_STATEMENTS.has(localName));
  return statement === undefined ? [] : [{ statement, position }];
}

/** Elements that CDA allows in an entry besides its statement. */
const NON_STATEMENTS = new Set(['realmCode', 'typeId', 'templateId', 'sequenceNumber']);
