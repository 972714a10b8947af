import type { ConversionNotice, DocumentToConvert } from '../converter.ts';
import { removeAmbiguousIdentifiers } from './ambiguous-identifiers.ts';
import { createContext } from './context.ts';
import { convertSection } from './convert-section.ts';
import { addDocumentReference } from './header/document-reference.ts';
import { addProvenance } from './header/provenance.ts';
import { applySecurityLabel } from './header/security.ts';
import { addServiceTeam } from './header/service-team.ts';
import { addVisit } from './header/visit.ts';
import { addEmbeddedBody } from './notes/embedded-body.ts';
import { parseCda } from './parse-cda.ts';
import type { SkippedEntry, PositionedResource } from './resource-list.ts';
import { listSections } from './list-sections.ts';

/** What a document was read into, and what became of the entries that are no resources. */
export interface CcdaResult {
  items: PositionedResource[];
  skipped: SkippedEntry[];
  notices: ConversionNotice[];
}

/**
 * Reads a document from its header to its last section. A part of a document (a section, a patient's data) is read as
 * far as it goes: it has no date and no author, and but for a `recordTarget` nobody whom it is about.
 */
export async function readCcda({ bytes, path, documentId }: DocumentToConvert): Promise<CcdaResult> {
  const root = parseCda(bytes);
  const context = createContext(root, documentId);
  addServiceTeam(root, context);
  for (const section of listSections(root)) await convertSection(section, context);
  await addEmbeddedBody(root, context);
  addVisit(root, context);
  if (root.localName === 'ClinicalDocument') {
    addDocumentReference(root, { bytes, path }, context);
    addProvenance(root, context);
  }
  const { resources, notices } = context;
  return {
    items: applySecurityLabel(root, removeAmbiguousIdentifiers(resources.items)),
    skipped: resources.skipped,
    notices,
  };
}
