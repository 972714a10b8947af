import type { ConversionNotice, Converters } from '../../converter.ts';
import { detectDocumentKind } from '../../detect-document-kind.ts';
import { unwrap } from '../../unwrap.ts';
import type { EmbeddedText } from '../section.ts';

/** Returns the text of a file inside of a document; a C-CDA in a C-CDA is not opened. Throws DocumentError. */
export async function readEmbedded(converters: Converters, packed: Buffer): Promise<EmbeddedText> {
  const bytes = unwrap(packed);
  const { kind, contentType } = detectDocumentKind(bytes, '');
  if (kind === null || kind === 'ccda' || kind === 'fhir-xml')
    return { text: '', contentType, withoutText: 'a file that is not read', notices: [NOT_READ] };
  const convert = await converters[kind]();
  const { resources, notices } = await convert({ bytes, path: '', documentId: NO_DOCUMENT });
  const { description = '', content } = JSON.parse(resources[0]?.text ?? '{}') as Note;
  const data = content?.[0]?.attachment.data;
  const text = data === undefined ? '' : Buffer.from(data, 'base64').toString('utf8');
  return { text, contentType, withoutText: description.replace(/^[^:]*: /, ''), notices };
}

const NO_DOCUMENT = '00000000-0000-8000-8000-000000000000';

interface Note {
  description?: string;
  content?: { attachment: { data?: string } }[];
}

const NOT_READ: ConversionNotice = {
  position: '',
  code: 'embedded_not_read',
  message: 'The document holds a file of a kind that is not read; it is kept with the document.',
};
