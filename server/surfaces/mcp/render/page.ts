/** The candidates for one answer, each list newest first. */
export interface Page<Row extends { day: string | null }> {
  /** Rows that are shown whatever the window. */
  alwaysShown: Row[];
  /** Rows of the window, each with a day. */
  dated: Row[];
  /** Rows without a day, which the window without an older neighbour shows. */
  undated: Row[];
  /** The newest day below the window and below `dated`. */
  olderDay: string | null;
  /** The oldest day of what is always shown, where older rows of it were not read; null, or absent: all were. */
  readDownTo?: string | null | undefined;
  /** Which of the rows that are always shown come first where not all of a day fit; absent: the newest. */
  byWeight?: ((one: Row, other: Row) => number) | undefined;
}

/** The rows that one answer shows. */
export interface PageSelection<Row> {
  alwaysShown: Row[];
  dated: Row[];
  undated: Row[];
  /** The `beforeDate` of the next answer; null when nothing older is left. */
  nextBeforeDate: string | null;
  /**
   * Rows that belong to this answer and are not in it: of what is always shown, which the next answers show, and of a single
   * day that is longer than an answer, which no other shows.
   */
  omitted: Row[];
}

/** Renders a selection: as text, so that it is known whether it fits. */
export type RenderSelection<Row> = (shown: PageSelection<Row>) => string;

/** Rendering all of a long history only to find it too long would cost more than the answer itself. */
export const FIRST_DAYS = 32;
