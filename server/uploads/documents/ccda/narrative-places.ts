import type { Element } from 'slimdom';
import { attribute } from './elements.ts';
import { narrativeLine } from './narrative-text.ts';

/** Where the pieces of narrative are that entries point to. */
export interface NarrativePlaces {
  /** The text at `#id` in one line, of the section `from` lies in where ids are given twice; undefined where it is empty. */
  text(reference: string | undefined, from: Element): string | undefined;
  /** The element there, to look around in its row. */
  place(reference: string | undefined, from: Element): Element | undefined;
  /** The headings of tables that were looked at: entries look at the same table again and again. */
  readonly headings: Map<Element, string[] | undefined>;
}

/** A text that is pointed to is a name, a phrase or a row; who points to a whole document makes of every entry one. */
const LONGEST_TEXT = 4000;

/** One walk over the document; CDA narrative writes `ID`, some vendors `id`. Ids may be given twice, in two sections. */
export function narrativePlaces(root: Element): NarrativePlaces {
  const places = new Map<string, Map<Element | undefined, Element>>();
  const texts = new Map<Element, string>();
  for (const element of root.getElementsByTagName('*')) {
    const id = attribute(element, 'ID') ?? attribute(element, 'id');
    if (id === undefined) continue;
    const bySection = places.get(id) ?? new Map<Element | undefined, Element>();
    const section = sectionOf(element);
    if (!bySection.has(section)) bySection.set(section, element);
    places.set(id, bySection);
  }
  const place = (reference: string | undefined, from: Element): Element | undefined => {
    const found = reference === undefined ? undefined : places.get(reference.replace(/^#/, ''));
    const nearest = found?.get(sectionOf(from)) ?? found?.values().next().value;
    return nearest === undefined || nearest.contains(from) ? undefined : nearest;
  };
  return {
    headings: new Map(),
    place,
    text(reference, from) {
      const found = place(reference, from);
      if (found === undefined) return undefined;
      const text = texts.get(found) ?? narrativeLine(found).slice(0, LONGEST_TEXT).toWellFormed();
      texts.set(found, text);
      return text || undefined;
    },
  };
}

function sectionOf(element: Element): Element | undefined {
  for (let next = element.parentElement; next !== null; next = next.parentElement)
    if (next.localName === 'section') return next;
  return undefined;
}
