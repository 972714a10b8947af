import { codings } from '../concepts.ts';
import { child } from '../elements.ts';
import { narrativeText } from '../narrative-text.ts';
import type { Context, Section } from '../section.ts';
import { addNote } from './add-note.ts';
import { saysSomething } from './says-something.ts';

/** What is written in a section, as a note; nothing where it only says that there is nothing to say. */
export function sectionNote(section: Section, context: Context): void {
  const written = child(section.element, 'text');
  if (!saysSomething(narrativeText(written, { headings: false }))) return;
  const text = narrativeText(written);
  addNote(context, section.position, {
    text,
    title: section.title,
    type: { coding: codings(child(section.element, 'code')), text: section.title },
    author: context.people.author(section.element)?.who,
  });
}
