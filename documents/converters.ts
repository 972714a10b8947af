import type { Converters } from './converter.ts';

export const converters: Converters = {
  ccda: async () => (await import('./ccda/convert-ccda.ts')).createCcdaConverter(converters),
  'fhir-xml': async () => (await import('./fhir-xml/convert-fhir-xml.ts')).convertFhirXml,
  pdf: async () => (await import('./pdf/convert-pdf.ts')).convertPdf,
  rtf: async () => (await import('./rtf/convert-rtf.ts')).convertRtf,
  html: async () => (await import('./html/convert-html.ts')).convertHtml,
  text: async () => (await import('./text/convert-plain-text.ts')).convertPlainText,
};
