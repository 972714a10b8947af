/** A FHIR resource as it stands in a document. */
export interface FoundResource {
  /** The resource's own bytes, exactly as written, without white space around it. */
  text: string;
  /** Parsed with every number as the text it was written with (1.00 stays "1.00"). */
  resource: ParsedResource;
  /** `Bundle.entry.fullUrl`, where there is one. */
  fullUrl: string | null;
  /** "entry[3]", "line 12" or "" for the whole document. */
  position: string;
}

export interface ParsedResource {
  resourceType: string;
  id?: unknown;
  [element: string]: unknown;
}
