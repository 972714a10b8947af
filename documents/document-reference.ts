import {
  DocumentError,
  type Conversion,
  type ConversionNotice,
  type DocumentToConvert,
} from './converter.ts';
import { DOCUMENT_LIMITS } from './document-limits.ts';
import { mentionsFhir } from './fhir/mentions-fhir.ts';

/** What was read of a document that is text and nothing else. */
export interface Note {
  /** What the document is, for people: "PDF". */
  kind: string;
  /** The media type of the original file. */
  contentType: string;
  /** "" when it has none. */
  text: string;
  /** The title that the document gives itself. */
  title?: string | null;
  /** The time at which the document says it was created: a FHIR dateTime. */
  created?: string | null;
  /** Its description when it has no text: "scanned document, 2 pages without readable text". */
  withoutText?: string;
  notices?: ConversionNotice[];
}

/**
 * Builds the DocumentReference of a document of text. The day of a file's creation is a property of the attachment
 * (`Attachment.creation`); `date` would be when the reference was made, and a converter has no clock. For the same reason
 * there is no Provenance: R4 demands its `recorded`, which no document holds. Throws DocumentError where the text holds FHIR
 * (the answer of a server with its headers, a saved page of it, a script): as a note its facts would be hidden and misplaced.
 */
export function buildDocumentReference(document: DocumentToConvert, note: Note): Conversion {
  if (mentionsFhir(note.text)) throw new DocumentError('unsupported_kind', HOLDS_FHIR);
  const name = getBaseName(document.path);
  const isEmpty = note.text === '';
  const text = truncateText(note.text);
  const notices = [...(note.notices ?? [])];
  if (isEmpty) notices.push(NO_TEXT);
  if (text.length < note.text.length) notices.push(TEXT_CUT);
  const resource = {
    resourceType: 'DocumentReference',
    id: document.documentId,
    status: 'current',
    // Not as `type`, which would be the title wherever notes are listed: the file's name says more.
    category: [{ text: `Document (${note.kind})` }],
    description: formatDescription(note, name),
    content: [
      {
        attachment: {
          contentType: isEmpty ? note.contentType : 'text/plain; charset=utf-8',
          ...(isEmpty ? {} : { data: Buffer.from(text).toString('base64') }),
          ...(name === '' ? {} : { title: name }),
          ...(note.created ? { creation: note.created } : {}),
        },
      },
    ],
  };
  return { resources: [{ text: JSON.stringify(resource), fullUrl: null, position: '' }], notices };
}

const HOLDS_FHIR =
  'The file holds FHIR resources, with other text around them or in a form that is not read; it is kept as a document.';

const NO_TEXT: ConversionNotice = {
  position: '',
  code: 'no_text',
  message: 'No readable text was found in the document; it is kept as it came.',
};

const TEXT_CUT: ConversionNotice = {
  position: '',
  code: 'text_cut',
  message: 'The document has more than 4 million characters; what follows them is left out of its text.',
};

function truncateText(text: string): string {
  const fits = text.length <= DOCUMENT_LIMITS.textCharacters;
  return (fits ? text : text.slice(0, DOCUMENT_LIMITS.textCharacters)).toWellFormed();
}

function formatDescription(
  { text, title, kind, withoutText = 'document without text' }: Note,
  name: string,
): string {
  const label = name === '' ? `Document (${kind})` : name;
  if (text === '') return `${label}: ${withoutText}`;
  return title && title !== name ? `${title} (${label})` : label;
}

/** Returns a file's name without its folders; Windows writes them with backslashes. */
function getBaseName(path: string): string {
  const name = path.split(/[/\\]/).findLast((part) => part.trim() !== '') ?? '';
  return name
    .replace(/[\p{Cc}\p{Cf}]+/gu, '')
    .trim()
    .slice(0, 255)
    .toWellFormed();
}
