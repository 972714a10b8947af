import type { Converter } from './converter.ts';
import type { DocumentKind } from './detect-document-kind.ts';

/** Each kind's code is loaded when its first document comes: that of PDF alone takes 10 MB. */
export type Converters = Readonly<Record<DocumentKind, () => Promise<Converter>>>;

export const converters: Converters = {
  ccda: async () => (await import('./ccda/convert-ccda.ts')).convertCcda,
  'fhir-xml': async () => (await import('./fhir-xml/convert-fhir-xml.ts')).convertFhirXml,
  pdf: async () => (await import('./pdf/convert-pdf.ts')).convertPdf,
  rtf: async () => (await import('./rtf/convert-rtf.ts')).convertRtf,
  html: async () => (await import('./html/convert-html.ts')).convertHtml,
  text: async () => (await import('./plain-text/convert-plain-text.ts')).convertPlainText,
};
