import type { Conversion, DocumentToConvert } from '../converter.ts';
import { readCcda } from './read-ccda.ts';
import { serializeItem } from './resource-list.ts';

/** A C-CDA document, R1.1 or R2.1, as FHIR R4. Throws DocumentError. */
export async function convertCcda(document: DocumentToConvert): Promise<Conversion> {
  const { items, notices } = await readCcda(document);
  return {
    resources: items.map((one) => ({
      text: serializeItem(one),
      fullUrl: null,
      position: one.position,
    })),
    notices,
  };
}
