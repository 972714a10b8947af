import type { ConsentRecordId } from '../../../contract/brands.ts';
import type { Db, Tx } from '../../platform/db/db.ts';
import { API_TERMS, decide, type DecisionDeps, type DecisionTarget, type WrittenDecision } from './decide.ts';

/** Withdraws a consent, of a real person or a test patient: a withdrawal needs no page. */
export async function withdrawConsent(
  deps: DecisionDeps & { db: Db },
  target: DecisionTarget,
  terms = API_TERMS,
): Promise<ConsentRecordId> {
  const { consentRecordId } = await deps.db.tx((tx) => withdrawInTx(tx, deps, { target, terms }));
  return consentRecordId;
}

interface Withdrawal {
  target: DecisionTarget;
  /** What the patient saw. */
  terms: typeof API_TERMS;
}

/** Withdraws a consent in the caller's transaction. */
export const withdrawInTx = (
  tx: Tx,
  deps: DecisionDeps,
  { target, terms }: Withdrawal,
): Promise<WrittenDecision> =>
  decide(tx, deps, {
    ...target,
    resolveTerms: () => ({ ...terms, consentStatus: 'OPTED_OUT', scopes: null, expiresAt: null }),
  });
