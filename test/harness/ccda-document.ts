import type { ParsedResource } from '../../server/clinical/store/found-resource.ts';
import { parseResource } from '../../server/clinical/store/parse-resource.ts';
import { createCcdaConverter } from '../../documents/ccda/convert-ccda.ts';
import type { ConversionNotice } from '../../documents/converter.ts';
import { converters } from '../../documents/converters.ts';
import { assertValidResources } from './assert-valid.ts';

export interface ConvertedDocument {
  resources: ParsedResource[];
  /** As they are written, numbers and all. */
  texts: string[];
  notices: ConversionNotice[];
  /** The resources of one type. */
  ofType(type: string): ParsedResource[];
}

interface DocumentParts {
  /** Beside `recordTarget`, in the header. */
  header?: string;
  person?: string;
  /** Whole `section` elements; or `component` with whatever stands in the place of a structured body. */
  sections?: string;
  body?: string;
}

export const DOCUMENT_ID = '22222222-2222-4222-8222-222222222222';

/** A document of Ada Lovelace, without author and date where the header does not state them. */
export const buildCcdaDocument = ({
  header = '',
  person,
  sections = '',
  body,
}: DocumentParts): string => `<?xml version="1.0"?>
<ClinicalDocument xmlns="urn:hl7-org:v3" xmlns:sdtc="urn:hl7-org:sdtc" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
  <templateId root="2.16.840.1.113883.10.20.22.1.1" extension="2015-08-01"/>
  <id root="1.2.840.1" extension="doc-1"/>
  <code code="34133-9" codeSystem="2.16.840.1.113883.6.1" displayName="Summarization of Episode Note"/>
  <title>Summary of care</title>
  ${header}
  <recordTarget><patientRole><id root="1.2.840.2" extension="p1"/>
    ${person ?? '<patient><name><given>Ada</given><family>Lovelace</family></name></patient>'}
  </patientRole></recordTarget>
  ${body ?? `<component><structuredBody>${sections.replace(/<section/g, '<component><section').replace(/<\/section>/g, '</section></component>')}</structuredBody></component>`}
</ClinicalDocument>`;

export const convertCcda = createCcdaConverter(converters);

export async function convertCcdaDocument(parts: DocumentParts | string): Promise<ConvertedDocument> {
  const bytes = Buffer.from(typeof parts === 'string' ? parts : buildCcdaDocument(parts));
  const { resources, notices } = await convertCcda({
    bytes,
    path: 'folder/ada.xml',
    documentId: DOCUMENT_ID,
  });
  const texts = resources.map(({ text }) => text);
  await assertValidResources(texts);
  const parsed = texts.map((text) => parseResource(text));
  return {
    resources: parsed,
    texts,
    notices,
    ofType: (type) => parsed.filter(({ resourceType }) => resourceType === type),
  };
}

/** The text of a note. */
export function decodeNoteText(note: ParsedResource | undefined): string | undefined {
  const [content] = (note?.['content'] ?? []) as { attachment: { data?: string } }[];
  return content?.attachment.data === undefined
    ? undefined
    : Buffer.from(content.attachment.data, 'base64').toString('utf8');
}
