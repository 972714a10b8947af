import type { ConversionNotice, DocumentToConvert } from '../converter.ts';
import { withoutAmbiguousIdentifiers } from './ambiguous-identifiers.ts';
import { contextOf } from './context.ts';
import { convertSection } from './convert-section.ts';
import { documentReference } from './header/document-reference.ts';
import { provenance } from './header/provenance.ts';
import { secured } from './header/security.ts';
import { serviceTeam } from './header/service-team.ts';
import { addVisit } from './header/visit.ts';
import { embeddedBody } from './notes/embedded-body.ts';
import { parseCda } from './parse-cda.ts';
import type { LeftOutEntry, Placed } from './resource-list.ts';
import { sectionsOf } from './sections-of.ts';

/** What a document was read into, and what became of the entries that are no resources. */
export interface ReadCcda {
  placed: Placed[];
  leftOut: LeftOutEntry[];
  notices: ConversionNotice[];
}

/**
 * Reads a document from its header to its last section. A part of a document (a section, a patient's data) is read as
 * far as it goes: it has no date and no author, and but for a `recordTarget` nobody whom it is about.
 */
export async function readCcda({ bytes, path, documentId }: DocumentToConvert): Promise<ReadCcda> {
  const root = parseCda(bytes);
  const context = contextOf(root, documentId);
  serviceTeam(root, context);
  for (const section of sectionsOf(root)) await convertSection(section, context);
  await embeddedBody(root, context);
  addVisit(root, context);
  if (root.localName === 'ClinicalDocument') {
    documentReference(root, { bytes, path }, context);
    provenance(root, context);
  }
  const { resources, notices } = context;
  return {
    placed: secured(root, withoutAmbiguousIdentifiers(resources.placed)),
    leftOut: resources.leftOut,
    notices,
  };
}
