import type { z } from 'zod';
import type * as contract from '../../../../contract/account/my-receipts.ts';

export type DecisionKind = contract.DecisionKind;
export type Receipt = z.infer<(typeof contract.listMyReceipts)['response']>['receipts'][number];

/** The kind of each decision, by the id of its record. */
export const indexKinds = (receipts: readonly Receipt[]): ReadonlyMap<string, DecisionKind> =>
  new Map(receipts.map(({ consentRecordId, kind }) => [consentRecordId, kind]));
