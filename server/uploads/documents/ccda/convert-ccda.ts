import type { Conversion, DocumentToConvert } from '../converter.ts';
import { readCcda } from './read-ccda.ts';
import { placedText } from './resource-list.ts';

/** A C-CDA document, R1.1 or R2.1, as FHIR R4. Throws DocumentUnreadable. */
export async function convertCcda(document: DocumentToConvert): Promise<Conversion> {
  const { placed, notices } = await readCcda(document);
  return {
    resources: placed.map((one) => ({
      text: placedText(one),
      fullUrl: null,
      position: one.position,
    })),
    notices,
  };
}
