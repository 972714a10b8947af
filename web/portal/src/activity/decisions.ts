import type { z } from 'zod';
import type { listMyReceipts } from '../../../../contract/account/my-consents.ts';

export type Receipt = z.infer<(typeof listMyReceipts)['response']>['receipts'][number];

export type DecisionKind = 'given' | 'changed' | 'taken-back';

/** Classifies each decision, by its record: a consent while an earlier one is in force is a change of it. */
export function classifyDecisions(newestFirst: readonly Receipt[]): ReadonlyMap<string, DecisionKind> {
  const inForce = new Map<string, Receipt>();
  const kinds = new Map<string, DecisionKind>();
  for (const receipt of newestFirst.toReversed()) {
    const { consentRecordId, consentStatus, project, decidedAt } = receipt;
    const previous = inForce.get(project.id);
    const wasInForce = previous !== undefined && previous.until > decidedAt;
    if (consentStatus === 'OPTED_OUT') {
      kinds.set(consentRecordId, 'taken-back');
      inForce.delete(project.id);
    } else {
      kinds.set(consentRecordId, wasInForce ? 'changed' : 'given');
      inForce.set(project.id, receipt);
    }
  }
  return kinds;
}
