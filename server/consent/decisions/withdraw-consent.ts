import type { ConsentRecordId } from '../../../contract/brands.ts';
import type { Db, Tx } from '../../platform/db/db.ts';
import {
  API_TERMS,
  decide,
  type DecisionContext,
  type DecisionDeps,
  type DecisionTarget,
  type WrittenDecision,
} from './decide.ts';

/**
 * Withdraws a consent, of a real person or a test patient: a withdrawal needs no page. Returns its record, or the newest one where
 * that is a no already.
 */
export const withdrawConsent = (
  deps: DecisionDeps & { db: Db },
  target: DecisionTarget,
  terms = API_TERMS,
): Promise<ConsentRecordId> =>
  withdrawOnce(deps.db, (tx) =>
    decide(tx, deps, {
      ...target,
      resolveTerms(context) {
        requireNoRefusalYet(context);
        return toWithdrawal(terms);
      },
    }),
  );

/** Thrown by the policy of a withdrawal whose no is the newest record already. */
class AlreadyRefused extends Error {
  readonly newest: ConsentRecordId;
  constructor(newest: ConsentRecordId) {
    super('refused before');
    this.newest = newest;
  }
}

/**
 * Throws where the newest decision is a no: the same withdrawal, whose answer was lost, would be a record of a no, which nobody
 * said. Somebody who decided nothing yet, or whose yes has ended by its date, does say no.
 */
export function requireNoRefusalYet({ previous }: DecisionContext): void {
  if (previous?.consent_status === 'OPTED_OUT') throw new AlreadyRefused(previous.consent_record_id);
}

/** Runs a withdrawal; returns its record, or the newest one where that is a no already. */
export async function withdrawOnce(
  db: Db,
  withdraw: (tx: Tx) => Promise<WrittenDecision>,
): Promise<ConsentRecordId> {
  try {
    return (await db.tx(withdraw)).consentRecordId;
  } catch (error) {
    if (error instanceof AlreadyRefused) return error.newest;
    throw error;
  }
}

interface Withdrawal {
  target: DecisionTarget;
  /** What the patient saw. */
  terms: typeof API_TERMS;
}

const toWithdrawal = (terms: typeof API_TERMS) =>
  ({ ...terms, consentStatus: 'OPTED_OUT', scopes: null, expiresAt: null }) as const;

/** Withdraws a consent in the caller's transaction. */
export const withdrawInTx = (
  tx: Tx,
  deps: DecisionDeps,
  { target, terms }: Withdrawal,
): Promise<WrittenDecision> => decide(tx, deps, { ...target, resolveTerms: () => toWithdrawal(terms) });
