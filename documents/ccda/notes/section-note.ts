import { toCodings } from '../concepts.ts';
import { getChild } from '../elements.ts';
import { renderNarrative } from '../render-narrative.ts';
import type { Context, Section } from '../section.ts';
import { addNote } from './add-note.ts';
import { hasClinicalContent } from './has-clinical-content.ts';

/** Adds the narrative of a section as a note, unless it only says that there is no information. */
export function addSectionNote(section: Section, context: Context): void {
  const narrative = getChild(section.element, 'text');
  if (!hasClinicalContent(renderNarrative(narrative, { headings: false }))) return;
  const text = renderNarrative(narrative);
  addNote(context, section.position, {
    text,
    title: section.title,
    type: { coding: toCodings(getChild(section.element, 'code')), text: section.title },
    author: context.people.findAuthor(section.element)?.who,
  });
}
