/** How the state of a patient at a source is shown. */
export const SYNC_KINDS = {
  up_to_date: 'good',
  running: 'plain',
  waiting: 'plain',
  no_match: 'warning',
  ambiguous_match: 'warning',
  needs_organization_review: 'warning',
  failed: 'danger',
  paused: 'plain',
} as const;
