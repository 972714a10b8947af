import type { FoundFact } from './find-facts.ts';

/** Why a fact may stand in no text. */
const REASONS: readonly { reason: string; covers(found: FoundFact): boolean }[] = [
  {
    reason: 'who performed a report stands in its details, which those of its results name',
    covers: ({ resource, fact }) => resource.type === 'DiagnosticReport' && fact.field === 'performer',
  },
  {
    reason: 'a report of vital signs, which get_vitals shows by themselves',
    covers: ({ resource }) =>
      resource.type === 'DiagnosticReport' && resource.names.includes('Heartfailure Tracking Panel'),
  },
  {
    reason: 'a panel is named over its members',
    covers: ({ resource, fact }) => resource.type === 'Observation' && fact.field === 'name',
  },
  {
    reason: 'who answered a part of a questionnaire, which stands at the whole',
    covers: ({ resource, fact }) => resource.type === 'Observation' && fact.field === 'performer',
  },
  {
    reason: 'the day of a panel, which stands at its members',
    covers: ({ resource, fact }) => resource.type === 'Observation' && fact.field === 'date',
  },
  {
    reason: 'a statement of absence has no status of its own',
    covers: ({ resource, fact }) =>
      fact.field === 'clinicalStatus.coding.code' && resource.names.some((name) => /^no |^nkda/i.test(name)),
  },
];

/** Returns the reason that excuses a missing fact, if any. */
export const excuse = (found: FoundFact): string | undefined =>
  REASONS.find(({ covers }) => covers(found))?.reason;
