/** What a clinician asks of any statement of a record. */
export type Question = 'what' | 'when' | 'value' | 'status' | 'who' | 'more';

/** One thing that a resource states. */
export interface Fact {
  question: Question;
  /** The path that states it: `dosageInstruction.text`. */
  field: string;
  /** Words of which any states it, as the record writes them. */
  wordings: string[];
}

/** What one resource states. */
export interface ResourceFacts {
  type: string;
  id: string;
  /** Names of what it is about: one of them stands in the row that states the rest. */
  names: string[];
  /** Days as written, of which one stands in the row; none: it has no date of its own. */
  days: string[];
  facts: Fact[];
}
