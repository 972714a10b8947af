import type { EnrollmentConsent } from '../api.ts';
import type { Words } from './en.ts';

/** Returns the app's words with a review that says what this type of consent means where an organization asks, not an app. */
export function withReviewOf(words: Words, type: EnrollmentConsent['consentType']): Words {
  const { review } = words;
  const own = words.asks[type];
  return {
    ...words,
    review: {
      ...review,
      title: own.title,
      lead: own.lead,
      leadShared: type === 'FUTURE_DATA_USE' ? own.lead : review.leadShared,
      changed: { ...review.changed, ...words.asks.changed },
      why: { ...review.why, ...words.asks.why },
      what: {
        ...review.what,
        ...own.what,
        getsText: (_client, organization) => own.what.recipients(organization),
      },
      away: { ...review.away, ...own.away },
      decision: { ...review.decision, ...own.decision },
    },
  };
}
