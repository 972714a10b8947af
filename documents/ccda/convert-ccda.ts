import type { Element } from 'slimdom';
import type { Conversion, ConversionNotice, Converter, Converters, DocumentToConvert } from '../converter.ts';
import { removeAmbiguousIdentifiers } from './ambiguous-identifiers.ts';
import { convertSection } from './convert-section.ts';
import { getAttribute, getChild, getText } from './elements.ts';
import type { Reference } from './fhir-values.ts';
import { addDocumentReference } from './header/document-reference.ts';
import { addPatient } from './header/patient.ts';
import { addProvenance } from './header/provenance.ts';
import { addServiceTeam } from './header/service-team.ts';
import { addVisit, reserveVisit } from './header/visit.ts';
import { listSections } from './list-sections.ts';
import { indexNarrative } from './narrative-index.ts';
import { addEmbeddedBody } from './notes/embedded-body.ts';
import { readEmbedded } from './notes/read-embedded.ts';
import { parseCda } from './parse-cda.ts';
import { People } from './people.ts';
import { keepPermittedTargets } from './permitted-targets.ts';
import { ResourceList, serializeItem, type PositionedResource, type SkippedEntry } from './resource-list.ts';
import type { Context } from './section.ts';
import { applySecurityLabels, readSecurityLabels } from './security-labels.ts';
import { toTime } from './times.ts';

/**
 * Creates the converter of C-CDA documents, R1.1 or R2.1, to FHIR R4; it throws DocumentError. `converters` read the files
 * that lie inside of a document.
 */
export const createCcdaConverter =
  (converters: Converters): Converter =>
  async (document): Promise<Conversion> => {
    const { items, notices } = await readCcda(document, converters);
    return {
      resources: items.map((item) => ({
        text: serializeItem(item),
        fullUrl: null,
        position: item.position,
      })),
      notices,
    };
  };

/** The resources of a document, and the entries that became none. */
export interface CcdaResult {
  items: PositionedResource[];
  skipped: SkippedEntry[];
  notices: ConversionNotice[];
}

/**
 * Reads a document from its header to its last section. A part of a document (a section, a patient's data) is read as far
 * as it goes: it has no date, no author and, except for a `recordTarget`, a patient whom nothing describes.
 */
export async function readCcda(
  { bytes, path, documentId }: DocumentToConvert,
  converters: Converters,
): Promise<CcdaResult> {
  const root = parseCda(bytes);
  const context = createContext(root, documentId, (packed) => readEmbedded(converters, packed));
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
    items: applySecurityLabels(context.getSecurityLabels, removeAmbiguousIdentifiers(resources.items)).map(
      keepPermittedTargets,
    ),
    skipped: resources.skipped,
    notices,
  };
}

/** What R4 demands of nearly every resource (`subject`, `patient`), in a part of a document that says nothing of its patient. */
const UNDESCRIBED_PATIENT: Reference = { type: 'Patient', display: 'The patient of this record' };

const SUMMARY_TYPE = '34133-9';

/** Refers to the document by its title, which says what its sections are of: "Findings" of a chest X-ray. */
function referToDocument(root: Element, documentId: string): Reference | undefined {
  const title = getText(getChild(root, 'title'));
  const isSummary = getAttribute(getChild(root, 'code'), 'code') === SUMMARY_TYPE;
  if (root.localName !== 'ClinicalDocument' || title === undefined || isSummary) return undefined;
  return { reference: `DocumentReference/${documentId}`, display: title };
}

/** Builds what the sections of the document share, and adds its patient to the resources. */
function createContext(root: Element, documentId: string, readEmbedded: Context['readEmbedded']): Context {
  const resources = new ResourceList(documentId);
  const narrative = indexNarrative(root);
  const people = new People(resources, narrative);
  const patient = addPatient(root, { resources, narrative, people }) ?? UNDESCRIBED_PATIENT;
  const visit = reserveVisit(root, resources);
  return {
    documentId,
    documentReference: referToDocument(root, documentId),
    resources,
    narrative,
    people,
    patient,
    visit,
    encounter: visit?.reference,
    documentTime: toTime(getChild(root, 'effectiveTime')),
    getSecurityLabels: readSecurityLabels(root),
    notices: [],
    readEmbedded,
  };
}
