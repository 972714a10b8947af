import type { Kind } from './entry.ts';

/** What `get_other_records` lists, in the contract's words and order. */
export const OTHER_KINDS = [
  'care_team',
  'care_plan',
  'goal',
  'device',
  'family_history',
  'social_history',
  'survey',
  'imaging',
  'order',
  'coverage',
  'document',
  'other',
] as const satisfies readonly Kind[];
export type OtherKind = (typeof OTHER_KINDS)[number];

/** Kinds whose entries are described by their title and their words. */
export const RECORD_KINDS = [
  'care_team',
  'care_plan',
  'goal',
  'device',
  'family_history',
  'imaging',
  'order',
  'coverage',
  'document',
  'other',
] as const satisfies readonly Kind[];
export type RecordKind = (typeof RECORD_KINDS)[number];

const RECORD_KIND_SET = new Set<Kind>(RECORD_KINDS);

export const isRecordEntry = <E extends { kind: Kind }>(
  entry: E,
): entry is Extract<E, { kind: RecordKind }> => RECORD_KIND_SET.has(entry.kind);
