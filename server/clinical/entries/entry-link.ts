/** A reference from one entry to a resource that says more about it. */
export interface EntryLink {
  role: LinkRole;
  /** `Type/id`. */
  target: string;
}

/**
 * `member` points from a panel, an organism or a report to its results, `replaces` and `appends` from a document to an earlier
 * one, `within` from a contained result to its container; all others from an entry to what explains it.
 */
export const LINK_ROLES = [
  'member',
  'derived',
  'reason',
  'order',
  'specimen',
  'part',
  'device',
  'replaces',
  'appends',
  'within',
] as const;
export type LinkRole = (typeof LINK_ROLES)[number];

/**
 * What another resource of the record says about an entry: the organism and the panel that a result belongs to, why a visit
 * took place, who ordered a test. Each is shown only to a consent that covers what it is from.
 */
export interface ContextFact {
  role: 'panel' | 'diagnosis' | 'replacedBy' | 'appendedBy' | Exclude<LinkRole, 'member' | 'within'>;
  /** `Type/id` of the resource that says it. */
  from: string;
  title: string;
  /** `system|code` of its title. */
  code: string | null;
  /** What it says besides its name: a result, a body site, who ordered it. */
  text: string | null;
  /** What its name alone would hide: "refuted", "provisional", "not-done". */
  doubt?: string;
  /**
   * Of nested panels 1 is the nearest: of a susceptibility the organism, 2 the culture. Of reasons and diagnoses their place
   * in the order of the resource, by rank; those that only name the visit come after. Otherwise 1.
   */
  level: number;
}
