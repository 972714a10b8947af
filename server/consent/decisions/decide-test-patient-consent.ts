import type { ConsentStatus } from '../../../contract/account/consent.ts';
import type { ConsentRecordId } from '../../../contract/brands.ts';
import type { Db } from '../../platform/db/db.ts';
import { forbidden, invalidInput } from '../../platform/kernel/refusal.ts';
import type { DataScopes } from '../access/sensitivity-labels.ts';
import { getMaxExpiry } from './consent-duration.ts';
import { API_TERMS, decide, type DecisionDeps, type DecisionTarget } from './decide.ts';
import { requireNoRefusalYet, withdrawOnce } from './withdraw-consent.ts';

interface TestPatientDecision extends DecisionTarget {
  consentStatus: ConsentStatus;
  scopes: DataScopes;
  expiresAt: Date | null;
}

/**
 * Records the decision of a test patient. Refuses a real person, whose consent needs the evidence of the page, and a consent where the
 * disk has no space for what leads to reads.
 */
export async function decideTestPatientConsent(
  deps: DecisionDeps & { db: Db },
  { consentStatus, scopes, expiresAt, ...target }: TestPatientDecision,
): Promise<ConsentRecordId> {
  if (expiresAt !== null && expiresAt > getMaxExpiry(deps.clock.now())) {
    throw invalidInput([{ path: 'expirationTimestamp', message: 'must be at most one year ahead' }]);
  }
  if (consentStatus === 'OPTED_IN') deps.db.capacity.require('reads');
  return withdrawOnce(deps.db, (tx) =>
    decide(tx, deps, {
      ...target,
      resolveTerms(context) {
        if (!context.patient.is_test_patient)
          throw forbidden('Only test patients consent by API; a person consents on the consent page.');
        if (consentStatus === 'OPTED_OUT') {
          requireNoRefusalYet(context);
          return { ...API_TERMS, consentStatus, scopes: null, expiresAt: null };
        }
        return { ...API_TERMS, consentStatus, scopes, expiresAt };
      },
    }),
  );
}
