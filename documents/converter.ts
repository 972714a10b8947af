import type { DocumentKind } from './detect-document-kind.ts';

/** What a document that is not FHIR JSON is turned into. */
export interface ConvertedResource {
  /** One FHIR R4 resource as JSON, with `resourceType` and an `id` that depends on the document and the place in it alone. */
  text: string;
  /** `Bundle.entry.fullUrl`, where the document has one. */
  fullUrl: string | null;
  /** Where in the document it lies, in the words of its format: "entry[3]", "section[2].entry[1]"; "" for the whole. */
  position: string;
}

/** A place of the document that could not be read; it costs no other place. */
export interface ConversionNotice {
  position: string;
  /** snake_case, stable. */
  code: string;
  /** One sentence in plain English that never quotes the document. */
  message: string;
}

export interface Conversion {
  resources: ConvertedResource[];
  notices: ConversionNotice[];
}

export interface DocumentToConvert {
  /** As they came. */
  bytes: Buffer;
  /** The member's path in the archive. */
  path: string;
  /** A UUID that depends on the bytes and the path: under it the original is kept, and ids are derived from it. */
  documentId: string;
}

/** The document cannot be read at all. `message` may be shown to the patient and never quotes the document. */
export class DocumentError extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.name = 'DocumentError';
    this.code = code;
  }
}

/**
 * Reads one kind of document into FHIR. Runs in a process of its own under limits of time and memory: it may be slow or
 * die over a hostile document, and may use neither the database nor the network nor the clock.
 */
export type Converter = (document: DocumentToConvert) => Conversion | Promise<Conversion>;

/** Each kind's code is loaded when its first document comes: that of PDF alone takes 10 MB. */
export type Converters = Readonly<Record<DocumentKind, () => Promise<Converter>>>;
