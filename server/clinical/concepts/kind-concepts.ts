import { toConceptId } from './concept.ts';

/** What a kind of entry is called as a concept: every entry of it is something narrower, whatever its words. */
export const KIND_CONCEPTS = {
  allergy: ['allergy'],
  care_plan: ['care-plan'],
  care_team: ['care-team'],
  condition: [],
  coverage: ['health-insurance'],
  device: ['medical-device'],
  document: ['document'],
  family_history: ['family-history'],
  goal: ['goal'],
  imaging: ['imaging'],
  immunization: ['vaccine', 'immunization-record'],
  lab: ['laboratory-test'],
  medication: [],
  note: ['clinical-note'],
  order: [],
  other: [],
  procedure: [],
  social_history: ['social-history'],
  survey: ['questionnaire'],
  visit: ['encounter'],
  vital: ['vital-signs'],
} as const satisfies Record<string, readonly string[]>;

export type EntryKind = keyof typeof KIND_CONCEPTS;

const IDS = new Map(Object.entries(KIND_CONCEPTS).map(([kind, slugs]) => [kind, slugs.map(toConceptId)]));

export const listKindConcepts = (kind: EntryKind): readonly number[] => IDS.get(kind) ?? [];
