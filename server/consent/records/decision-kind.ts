import type { DecisionKind } from '../../../contract/account/my-receipts.ts';
import { ENROLLMENT_ENDED_FLOW } from '../decisions/decide.ts';
import type { StoredRecordRow } from './consent-records.sql.ts';

type ClassifiedRow = Pick<StoredRecordRow, 'consent_status' | 'consent_ui_flow'> & {
  /** The decision before it on the same consent was a yes, and in force. */
  replaces_consent: boolean;
};

/** Classifies a decision by what it did to what was shared before. */
export function classifyDecision(row: ClassifiedRow): DecisionKind {
  if (row.consent_status === 'OPTED_OUT') return classifyOptOut(row);
  return row.replaces_consent ? 'changed' : 'given';
}

/** Classifies an opt-out by whose it was and whether anything was shared before. */
export function classifyOptOut(
  row: Omit<ClassifiedRow, 'consent_status'>,
): 'refused' | 'withdrawn' | 'revoked' {
  if (row.consent_ui_flow === ENROLLMENT_ENDED_FLOW) return 'revoked';
  return row.replaces_consent ? 'withdrawn' : 'refused';
}
