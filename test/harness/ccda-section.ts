import { readCcda } from '../../documents/ccda/convert-ccda.ts';
import { converters } from '../../documents/converters.ts';
import { serializeItem, type SkippedEntry } from '../../documents/ccda/resource-list.ts';
import type { Entry } from '../../server/clinical/entries/entry.ts';
import type { ParsedResource } from '../../server/clinical/store/found-resource.ts';
import { parseResource } from '../../server/clinical/store/parse-resource.ts';
import { buildEntries } from '../../server/clinical/entries/build-entries.ts';
import { assertValidResources } from './assert-valid.ts';

export interface ConvertedSection {
  resources: ParsedResource[];
  /** What the tools receive. */
  entries: Entry[];
  skipped: SkippedEntry[];
}

/** What a section of a C-CDA document is read into; `inside` is what lies in `section` beside its code. */
export async function convertCcdaSection(code: string, inside: string): Promise<ConvertedSection> {
  const section = `<section><code code="${code}" codeSystem="2.16.840.1.113883.6.1"/>${inside}</section>`;
  const documentId = '11111111-1111-4111-8111-111111111111';
  const read = await readCcda({ bytes: Buffer.from(section), path: 'section.xml', documentId }, converters);
  const texts = read.items.map(serializeItem);
  await assertValidResources(texts);
  const resources = texts.map((text) => parseResource(text));
  const entries = resources.flatMap((resource) => buildEntries(resource, { resolve: () => null }));
  return { resources, entries, skipped: read.skipped };
}

/** The resources of one type, notes of the section's narrative and others left aside. */
export const filterByType = (read: ConvertedSection, type: string): ParsedResource[] =>
  read.resources.filter(({ resourceType }) => resourceType === type);
