import type { SourceState } from '../../../../../../contract/organization/source-syncs.ts';

/** How far a source has come with a patient. */
export const states: Readonly<Record<SourceState, string>> = {
  up_to_date: 'Up to date',
  running: 'Being fetched',
  waiting: 'Waiting',
  no_match: 'Nobody found',
  ambiguous_match: 'Several found',
  needs_organization_review: 'Differs, needs you',
  failed: 'Failed',
  paused: 'Not fetched',
};
