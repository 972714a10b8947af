import type { DocumentKind } from './detect-document-kind.ts';

/** A resource that a document was converted into. */
export interface ConvertedResource {
  /** One FHIR R4 resource as JSON; its `id` depends on the document and the position in it alone. */
  text: string;
  /** `Bundle.entry.fullUrl`, where the document has one. */
  fullUrl: string | null;
  /** The position in the document, in the terms of its format: "entry[3]", "section[2].entry[1]"; "" for the whole. */
  position: string;
  /** It is what a server said about its answer, and no part of a record. */
  isServerMessage?: boolean;
}

/** A part of the document that could not be read; it costs no other part. */
export interface ConversionNotice {
  position: string;
  /** snake_case, stable. */
  code: string;
  /** One sentence in plain English that never quotes the document. */
  message: string;
}

/** A Bundle that resources of a document lie in. */
export interface ConvertedBundle {
  /** "" for the whole document. */
  position: string;
  isDocument: boolean;
  /** `Bundle.meta.security`. */
  security: { system: string | null; code: string | null }[];
}

export interface Conversion {
  resources: ConvertedResource[];
  /** Absent: none. */
  bundles?: ConvertedBundle[];
  notices: ConversionNotice[];
  /** What stands in the document beside its text, where the format has such; absent: nothing. */
  besides?: WordsBesides;
}

/**
 * Words that no reader shows with the text, but whoever has the document finds in it: comments, properties, deleted text,
 * values of forms, codes. They say what class the document belongs to.
 */
export interface WordsBesides {
  /** Text, or JSON whose codes count. */
  words: string[];
  /** False where something else is in it that was not read: a file, a picture. */
  isComplete: boolean;
}

export interface DocumentToConvert {
  /** As they were uploaded. */
  bytes: Buffer;
  /** The member's path in the archive. */
  path: string;
  /** A UUID that depends on the bytes and the path: the original is stored under it, and ids are derived from it. */
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

/** The process that read the document died over it, or was ended because it took too long or too much memory. */
export class ProcessDiedError extends DocumentError {}

/**
 * Reads one kind of document into FHIR. Runs in a process of its own under limits of time and memory: it may be slow or
 * die over a hostile document, and may use neither the database nor the network nor the clock.
 */
export type Converter = (document: DocumentToConvert) => Conversion | Promise<Conversion>;

/** Each kind's code is loaded when its first document comes: that of PDF alone takes 10 MB. */
export type Converters = Readonly<Record<DocumentKind, () => Promise<Converter>>>;
