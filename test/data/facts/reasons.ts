import type { FoundFact } from './find-facts.ts';

/** Why a fact may stand in no text. */
const REASONS: readonly { reason: string; covers(found: FoundFact): boolean }[] = [
  {
    reason: 'its document is a letter, which search_clinical_notes finds by its words',
    covers: ({ resource }) => resource.type === 'DiagnosticReport' || resource.type === 'DocumentReference',
  },
  {
    reason: 'a panel is named over its members',
    covers: ({ resource, fact }) => resource.type === 'Observation' && fact.field === 'name',
  },
  {
    reason: 'a record of many persons names each, and opens the details of as many as one answer holds',
    covers: ({ resource }) => resource.type === 'Patient',
  },
  {
    reason: 'another source of the same fact, of which the one that states more is shown',
    covers: ({ resource, fact }) =>
      (resource.type === 'CareTeam' && fact.field === 'period.end') ||
      (resource.type === 'AllergyIntolerance' && fact.field === 'note.text'),
  },
  {
    reason: 'the intent of a request that is shown as a plan or an order',
    covers: ({ resource, fact }) => resource.type === 'ServiceRequest' && fact.field === 'intent',
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
