import type { Element } from 'slimdom';
import { getAttribute } from './elements.ts';
import { renderNarrativeLine } from './render-narrative.ts';

/** Where the pieces of narrative are that entries point to. */
export interface NarrativeIndex {
  /** The text at `#id` in one line, of the section `from` lies in where ids are given twice; undefined where it is empty. */
  resolveText(reference: string | undefined, from: Element): string | undefined;
  /** The element there, to look around in its row. */
  findElement(reference: string | undefined, from: Element): Element | undefined;
  /** The headings of tables that were looked at: entries look at the same table again and again. */
  readonly headings: Map<Element, string[] | undefined>;
}

/** A text that is pointed to is a name, a phrase or a row; who points to a whole document makes of every entry one. */
const MAX_TEXT_LENGTH = 4000;

/** One walk over the document; CDA narrative writes `ID`, some vendors `id`. Ids may be given twice, in two sections. */
export function indexNarrative(root: Element): NarrativeIndex {
  const elementsById = new Map<string, Map<Element | undefined, Element>>();
  const texts = new Map<Element, string>();
  for (const element of root.getElementsByTagName('*')) {
    const id = getAttribute(element, 'ID') ?? getAttribute(element, 'id');
    if (id === undefined) continue;
    const bySection = elementsById.get(id) ?? new Map<Element | undefined, Element>();
    const section = findSection(element);
    if (!bySection.has(section)) bySection.set(section, element);
    elementsById.set(id, bySection);
  }
  const findElement = (reference: string | undefined, from: Element): Element | undefined => {
    const found = reference === undefined ? undefined : elementsById.get(reference.replace(/^#/, ''));
    const nearest = found?.get(findSection(from)) ?? found?.values().next().value;
    return nearest === undefined || nearest.contains(from) ? undefined : nearest;
  };
  return {
    headings: new Map(),
    findElement,
    resolveText(reference, from) {
      const found = findElement(reference, from);
      if (found === undefined) return undefined;
      const text = texts.get(found) ?? renderNarrativeLine(found).slice(0, MAX_TEXT_LENGTH).toWellFormed();
      texts.set(found, text);
      return text || undefined;
    },
  };
}

function findSection(element: Element): Element | undefined {
  for (let next = element.parentElement; next !== null; next = next.parentElement)
    if (next.localName === 'section') return next;
  return undefined;
}
