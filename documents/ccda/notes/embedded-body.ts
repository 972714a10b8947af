import type { Element } from 'slimdom';
import { DocumentError } from '../../converter.ts';
import { toCodeableConcept, resolveText } from '../concepts.ts';
import { getAttribute, getChild, getChildren, selectFirst, getText } from '../elements.ts';
import type { Context } from '../section.ts';
import { addNote } from './add-note.ts';
import { decodeEmbedded } from './embedded-data.ts';

const POSITION = 'component.nonXMLBody';

/**
 * Adds a body that is not structured (CDA R2 §4.3.1.1): a PDF, an RTF document or a text becomes a note of its text. A
 * picture or a scan becomes a note that describes it.
 */
export async function addEmbeddedBody(root: Element, context: Context): Promise<void> {
  const body = selectFirst(root, 'component/nonXMLBody/text');
  if (body === undefined) return;
  const noteHeader = {
    title: getText(getChild(root, 'title')),
    type: toCodeableConcept(getChild(root, 'code'), context.narrative) ?? { text: 'Document' },
    author: context.people.resolveAssigned(getChild(getChildren(root, 'author')[0], 'assignedAuthor')),
  };
  const link = getAttribute(getChild(body, 'reference'), 'value');
  try {
    const bytes = decodeEmbedded(body);
    if (bytes !== null) {
      const { text, contentType, withoutText, notices } = await context.readEmbedded(bytes);
      context.notices.push(...notices.map((notice) => ({ ...notice, position: POSITION })));
      addNote(context, POSITION, {
        ...noteHeader,
        text,
        binary: { contentType, description: withoutText, bytes },
      });
    } else if (link !== undefined && getText(body) === undefined) addBodyElsewhereNotice(context);
    else addNote(context, POSITION, { ...noteHeader, text: resolveText(body, context.narrative) ?? '' });
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    context.notices.push({ position: POSITION, code: error.code, message: error.message });
  }
}

/** Notes that the body is another file, which is read by itself when it is in the same upload. */
function addBodyElsewhereNotice({ notices }: Context): void {
  notices.push({
    position: POSITION,
    code: 'body_elsewhere',
    message: 'The document names another file as its content and holds nothing itself.',
  });
}
