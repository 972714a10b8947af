import type { Refusal } from '../kit/http/refusal.ts';

/** What a refusal means to the person, which decides the screen or sentence they get. */
export type Failure =
  | {
      kind:
        | 'expired'
        | 'unknown'
        | 'other-browser'
        | 'not-eligible'
        | 'decided'
        | 'person-changed'
        | 'signed-out'
        | 'content-changed'
        | 'consent-changed'
        | 'choices-changed'
        | 'full-review'
        | 'not-pictured';
    }
  | {
      kind:
        | 'stale-page'
        | 'unknown-outcome'
        | 'quota-exceeded'
        | 'too-many-uploads'
        | 'too-many-unfinished'
        | 'timed-out'
        | 'unreachable'
        | 'invalid'
        | 'wrong-password'
        | 'weak-password'
        | 'too-large'
        | 'unreadable';
    }
  | { kind: 'throttled'; until: Date | null };

const FAILURE_BY_CODE: ReadonlyMap<string, Failure> = new Map([
  ['csrf', { kind: 'stale-page' }],
  ['quota_exceeded', { kind: 'quota-exceeded' }],
  ['too_many_uploads', { kind: 'too-many-uploads' }],
  ['too_many_unfinished', { kind: 'too-many-unfinished' }],
  ['outcome_unknown', { kind: 'unknown-outcome' }],
  ['other_browser', { kind: 'other-browser' }],
  ['not_eligible', { kind: 'not-eligible' }],
  // The request says then who is not let in, and its page shows it.
  ['client_blocked', { kind: 'not-eligible' }],
  ['client_not_vouched', { kind: 'not-eligible' }],
  ['not_invited', { kind: 'not-eligible' }],
  ['person_changed', { kind: 'person-changed' }],
  ['other_account', { kind: 'person-changed' }],
  ['content_changed', { kind: 'content-changed' }],
  ['consent_changed', { kind: 'consent-changed' }],
  ['choices_changed', { kind: 'choices-changed' }],
  ['full_review_required', { kind: 'full-review' }],
  ['evidence_required', { kind: 'not-pictured' }],
  ['invalid_credentials', { kind: 'wrong-password' }],
  ['weak_password', { kind: 'weak-password' }],
]);

const FAILURE_BY_STATUS: ReadonlyMap<number, Failure> = new Map([
  [400, { kind: 'invalid' }],
  [401, { kind: 'signed-out' }],
  [404, { kind: 'unknown' }],
  [408, { kind: 'timed-out' }],
  [409, { kind: 'decided' }],
  [410, { kind: 'expired' }],
  [413, { kind: 'too-large' }],
  [422, { kind: 'unreadable' }],
]);

export function toFailure({ status, code, retryAt }: Refusal): Failure {
  const known = FAILURE_BY_CODE.get(code);
  if (known) return known;
  if (status === 429) return { kind: 'throttled', until: retryAt };
  return FAILURE_BY_STATUS.get(status) ?? { kind: 'unreachable' };
}
