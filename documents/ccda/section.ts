import type { Element } from 'slimdom';
import type { ConversionNotice } from '../converter.ts';
import type { FhirObject, Reference } from './fhir-values.ts';
import type { NarrativeIndex } from './narrative-index.ts';
import type { People } from './people.ts';
import type { SkipReason, ResourceList } from './resource-list.ts';
import type { Time } from './times.ts';

/** What the sections of a document share. */
export interface Context {
  documentId: string;
  /** The document as its notes refer to it; undefined in a part of a document and in a summary of everything. */
  documentReference: Reference | undefined;
  resources: ResourceList;
  narrative: NarrativeIndex;
  /** Practitioners, organizations and devices, each made once. */
  people: People;
  /** Without a target in a part of a document that has no header. */
  patient: Reference;
  /** The documented visit (`encompassingEncounter`). */
  encounter: Reference | undefined;
  /** The same visit, to which an entry of the Encounters section may add. */
  visit: Visit | undefined;
  /** When the document was made. */
  documentTime: Time | undefined;
  notices: ConversionNotice[];
  /** Returns the security labels of whatever stands at a position of the document. */
  getSecurityLabels(position: string): readonly FhirObject[];
  /** Reads a file that lies inside of the document. Throws DocumentError. */
  readEmbedded(packed: Buffer): Promise<EmbeddedText>;
}

/** The documented visit; an entry of the Encounters section may describe the same one. */
export interface Visit {
  reference: Reference & { reference: string };
  keys: readonly string[];
  /** The content of the Encounters section's entry with the same identifier. */
  sectionEntry: { content: FhirObject; position: string } | undefined;
}

/** What was read of a file that lies inside of a document. */
export interface EmbeddedText {
  /** "" where it has none: a scan, a picture, a kind that is not read. */
  text: string;
  /** Detected from the bytes, whatever the document declares. */
  contentType: string;
  /** Its description, where it has no text: "scanned document, 2 pages without readable text". */
  withoutText: string;
  notices: ConversionNotice[];
}

export interface Section {
  element: Element;
  /** LOINC. */
  code: string | undefined;
  title: string | undefined;
  templates: readonly string[];
  /** "section[3]", "section[3].section[1]". */
  position: string;
  entries: readonly CdaEntry[];
}

export interface CdaEntry {
  /** The statement: `act`, `observation`, `organizer`, `substanceAdministration`, `procedure`, `encounter`, `supply` … */
  statement: Element;
  /** "section[3].entry[2]". */
  position: string;
}

/**
 * Adds the resources of one entry with `context.resources.add(type, entry.position, content)`. Returns null when it added
 * any, else the reason why not, so that every entry is accounted for.
 */
export type EntryConverter = (
  entry: CdaEntry,
  context: Context,
  section: Section,
) => SkipReason | null | Promise<SkipReason | null>;

/** A kind of section: how it is recognized, and how its entries are converted. */
export interface SectionKind {
  name: string;
  /** LOINC codes of the section. */
  codes: readonly string[];
  /** Roots of its `templateId`, for sections whose code is missing or of another kind. */
  templates: readonly string[];
  convert: EntryConverter;
}
