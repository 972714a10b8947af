/** The few FHIR R4 data types the generator builds (`https://hl7.org/fhir/R4/datatypes.html`). */
export interface Coding {
  system: string;
  code: string;
  display?: string;
}

export interface CodeableConcept {
  coding?: Coding[];
  text?: string;
}

export interface Reference {
  reference: string;
  display?: string;
}

/** Its elements stay open: whoever reads a record reads JSON, where nothing is promised either. */
export interface GeneratedResource {
  resourceType: string;
  /** A UUID; other resources point at it as `urn:uuid:<id>`. */
  id: string;
  [element: string]: unknown;
}
