import type { Element } from 'slimdom';
import { getAttribute } from './elements.ts';
import { renderNarrativeLine } from './render-narrative.ts';

/** Resolves references of entries into the narrative. */
export interface NarrativeIndex {
  /**
   * Returns the text at `#id` in one line, preferring the section of `from` where an id occurs twice; undefined where
   * it is empty.
   */
  resolveText(reference: string | undefined, from: Element): string | undefined;
  /** Returns the element at `#id`, whose table row may be read. */
  findElement(reference: string | undefined, from: Element): Element | undefined;
  /** Caches the headings of tables: many entries refer to the same table. */
  readonly headings: Map<Element, string[] | undefined>;
}

/** A text that is referenced is a name, a phrase or a row; references to a whole document would copy it into every entry. */
const MAX_TEXT_LENGTH = 4000;

/** Indexes the document in one pass; CDA narrative has `ID`, some vendors `id`. An id may occur twice, in two sections. */
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
