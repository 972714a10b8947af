/** Selects resources of a record. */
export interface Selection {
  /** null: all types. */
  types: readonly string[] | null;
  /** Only resources that were added or changed after it. */
  since: Date | null;
  /** Only resources whose clinical period has days between these, both included; null: whatever their dates. */
  dates: DateRange | null;
  /** The record as it was then. */
  state: Date;
}

/** True when nothing is filtered out: every resource that may be read is selected. */
export const isWholeRecord = ({ types, since, dates }: Omit<Selection, 'state'>): boolean =>
  types === null && since === null && dates === null;

/** Days of the calendar; null: no limit on that side. */
export interface DateRange {
  start: string | null;
  end: string | null;
}

/** Optimistic assumptions, under which a statement takes half the time to plan; it checks that they hold. */
export interface Assumptions {
  /** Some consent leaves out nothing. */
  full: boolean;
  /** Nothing has changed since the selected state. */
  unchanged: boolean;
}
