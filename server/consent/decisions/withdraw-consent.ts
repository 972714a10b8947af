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
import { findInForce } from './find-in-force.ts';

/**
 * Withdraws a consent, of a real person or a test patient: a withdrawal needs no page. Returns its record, or the newest one where
 * nothing is in force any more.
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
        requireInForce(context);
        return toWithdrawal(terms);
      },
    }),
  );

/** Thrown by the policy of a withdrawal that takes nothing back. */
class NothingInForce extends Error {
  readonly newest: ConsentRecordId;
  constructor(newest: ConsentRecordId) {
    super('nothing is in force');
    this.newest = newest;
  }
}

/**
 * Throws where the consent was withdrawn before, or is over: the same withdrawal, whose answer was lost, would be a record of a no,
 * which nobody said. Somebody who decided nothing yet does say no.
 */
export function requireInForce({ previous, now }: DecisionContext): void {
  if (previous !== null && findInForce(previous, now) === null)
    throw new NothingInForce(previous.consent_record_id);
}

/** Runs a withdrawal; returns its record, or the newest one where it takes nothing back. */
export async function withdrawOnce(
  db: Db,
  withdraw: (tx: Tx) => Promise<WrittenDecision>,
): Promise<ConsentRecordId> {
  try {
    return (await db.tx(withdraw)).consentRecordId;
  } catch (error) {
    if (error instanceof NothingInForce) return error.newest;
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
