import type { Element } from 'slimdom';
import { DocumentUnreadable } from '../../converter.ts';
import { concept, referencedText } from '../concepts.ts';
import { attribute, child, children, first, textOf } from '../elements.ts';
import type { Context } from '../section.ts';
import { addNote } from './add-note.ts';
import { embeddedBytes } from './embedded-data.ts';
import { readEmbedded } from './read-embedded.ts';

const POSITION = 'component.nonXMLBody';

/**
 * What stands in the place of a structured body (CDA R2 §4.3.1.1): a PDF, an RTF document or a text becomes a note of its
 * words. A picture or a scan becomes one that says what it is.
 */
export async function embeddedBody(root: Element, context: Context): Promise<void> {
  const body = first(root, 'component/nonXMLBody/text');
  if (body === undefined) return;
  const told = {
    title: textOf(child(root, 'title')),
    type: concept(child(root, 'code'), context.narrative) ?? { text: 'Document' },
    author: context.people.assigned(child(children(root, 'author')[0], 'assignedAuthor')),
  };
  const link = attribute(child(body, 'reference'), 'value');
  try {
    const bytes = embeddedBytes(body);
    if (bytes !== null) {
      const { text, contentType, withoutText, notices } = await readEmbedded(bytes);
      context.notices.push(...notices.map((notice) => ({ ...notice, position: POSITION })));
      addNote(context, POSITION, {
        ...told,
        text,
        without: { contentType, description: withoutText, bytes },
      });
    } else if (link !== undefined && textOf(body) === undefined) tellElsewhere(context);
    else addNote(context, POSITION, { ...told, text: referencedText(body, context.narrative) ?? '' });
  } catch (error) {
    if (!(error instanceof DocumentUnreadable)) throw error;
    context.notices.push({ position: POSITION, code: error.code, message: error.message });
  }
}

/** The other file may be in the same upload; then it is read by itself. */
function tellElsewhere({ notices }: Context): void {
  notices.push({
    position: POSITION,
    code: 'body_elsewhere',
    message: 'The document names another file as its content and holds nothing itself.',
  });
}
