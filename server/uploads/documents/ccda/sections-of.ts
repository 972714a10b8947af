import type { Element } from 'slimdom';
import { all, attribute, child, children, templatesOf, textOf } from './elements.ts';
import type { Entry, Section } from './section.ts';

/** Every section of a document or of a part of one, each before the sections inside of it. */
export function sectionsOf(root: Element): Section[] {
  switch (root.localName) {
    case 'section':
      return within([root], '');
    case 'component':
      return within(sectionsIn(root), '');
    case 'structuredBody':
      return within(all(root, 'component/section'), '');
    default:
      return within(all(root, 'component/structuredBody/component/section'), '');
  }
}

function within(elements: readonly Element[], parent: string): Section[] {
  return elements.flatMap((element, index) => {
    const section = sectionAt(element, `${parent}section[${index + 1}]`);
    return [section, ...within(all(element, 'component/section'), `${section.position}.`)];
  });
}

const sectionsIn = (component: Element): Element[] => [
  ...children(component, 'section'),
  ...all(component, 'structuredBody/component/section'),
];

function sectionAt(element: Element, position: string): Section {
  const code = child(element, 'code');
  return {
    element,
    code: attribute(code, 'code'),
    title: textOf(child(element, 'title')) ?? attribute(code, 'displayName'),
    templates: templatesOf(element),
    position,
    entries: children(element, 'entry').flatMap((entry, index) =>
      entryAt(entry, `${position}.entry[${index + 1}]`),
    ),
  };
}

/** An entry holds one statement; what is empty is no entry. */
function entryAt(entry: Element, position: string): Entry[] {
  const statement = entry.children.find(({ localName }) => !BESIDES.has(localName));
  return statement === undefined ? [] : [{ statement, position }];
}

/** What CDA allows in an entry beside its statement. */
const BESIDES = new Set(['realmCode', 'typeId', 'templateId', 'sequenceNumber']);
