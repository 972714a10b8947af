import { toCodings } from '../concepts.ts';
import { getChild } from '../elements.ts';
import { renderNarrative } from '../render-narrative.ts';
import type { Context, Section } from '../section.ts';
import { addNote } from './add-note.ts';
import { hasClinicalContent } from './has-clinical-content.ts';

/** What is written in a section, as a note; nothing where it only says that there is nothing to say. */
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
