import type { z } from 'zod';
import type { AccessLogEntry as LogEntry } from '../../../../contract/account/access-log.ts';
import type * as contract from '../../../../contract/account/my-receipts.ts';

export type DecisionKind = contract.DecisionKind;
export type Receipt = z.infer<(typeof contract.listMyReceipts)['response']>['receipts'][number];

/** What the log says of a decision, and of the project that it is about. */
export type Decision = Pick<
  Receipt,
  'kind' | 'consentType' | 'organization' | 'project' | 'consentStatus' | 'until'
>;

/** The decisions by the ids of their records. */
export const indexDecisions = (receipts: readonly Receipt[]): ReadonlyMap<string, Decision> =>
  new Map(receipts.map((receipt) => [receipt.consentRecordId, receipt]));

/** Finds the decision that an entry names, or else the newest on its project, whose words for patients it knows. */
export function findProject(
  { consentRecordId, project }: Pick<LogEntry, 'consentRecordId' | 'project'>,
  decisions: ReadonlyMap<string, Decision>,
): Decision['project'] | null {
  const named = decisions.get(consentRecordId ?? '');
  if (named) return named.project;
  if (project === null) return null;
  const newest = [...decisions.values()].find((decision) => decision.project.id === project.id);
  return newest?.project ?? null;
}
