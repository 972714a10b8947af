import type { DataMask, PatientId } from '../../../../contract/brands.ts';
import { getLastingPart, toStoredConsent } from '../../../consent/decisions/consent-parts.ts';
import type { GrantTerms } from '../../../consent/decisions/consent.sql.ts';
import type { DecisionContext } from '../../../consent/decisions/decide.ts';
import { findInForce } from '../../../consent/decisions/find-in-force.ts';
import { requireShortForm, type AskingClient } from '../../../consent/records/short-form.ts';
import { resolveSnapshotId } from '../../../consent/decisions/study-snapshot.ts';
import type { Queryable } from '../../../platform/db/db.ts';
import { describeRedirectUri } from '../clients/redirect-uri.ts';
import type { RequestRow } from './requests.sql.ts';

/** Describes the app of a request as the one that a person let in before, or not. */
export const toAskingClient = (request: RequestRow, patientId: PatientId): AskingClient => ({
  patientId,
  projectId: request.project_id,
  clientId: request.client_id,
  clientName: request.client_name,
  redirectHost: describeRedirectUri(request.redirect_uri).redirectHost,
  refreshable: request.refreshable,
});

interface ShortDecision {
  client: AskingClient;
  uiHash: string;
  chosen: GrantTerms & { representative: object | null };
}

/** Refuses a decision on the short form unless nothing has changed, as its transaction sees it. */
export const requireUnchanged = (
  on: Queryable,
  { client, uiHash, chosen }: ShortDecision,
  { patient, previous, now }: DecisionContext,
): Promise<void> => {
  const current = findInForce(previous, now);
  const getConsent = current && ((grant: DataMask) => getLastingPart(toStoredConsent(current), now, grant));
  const studySnapshotId = resolveSnapshotId(client.projectId, patient);
  return requireShortForm(on, client, { studySnapshotId, uiHash, getConsent, chosen });
};
