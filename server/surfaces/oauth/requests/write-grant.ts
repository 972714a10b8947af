import type { ConsentRecordId, GrantId } from '../../../../contract/brands.ts';
import type { PatientSession } from '../../../../contract/audience.ts';
import type { InteractionDecision } from '../../../../contract/oauth/interaction.ts';
import { toDataScopes, toWithheldMask } from '../../../consent/access/sensitivity-labels.ts';
import type { DecisionDeps } from '../../../consent/decisions/decide.ts';
import { endDraft, takeEvidence, type EndedDraft } from '../../../consent/decisions/draft.ts';
import { giveConsent, type AppConsentInput } from '../../../consent/decisions/give-consent.ts';
import { insertGrant, type NewGrant } from '../../../consent/grants/grants.sql.ts';
import { shareOrganization } from '../../../identity/organizations/organizations.sql.ts';
import { one, type Tx } from '../../../platform/db/db.ts';
import type { Jobs } from '../../../platform/jobs/worker.ts';
import { generateId } from '../../../platform/kernel/ids.ts';
import { Refusal } from '../../../platform/kernel/refusal.ts';
import type { AppIdentity } from '../apps/app-identity.ts';
import { requireAllowedApp } from '../apps/require-allowed-app.ts';
import { REQUEST_LIFETIME_MS } from './begin-authorization.ts';
import { getDraftKey } from './interaction-draft.ts';
import { PREPARE_JOB, type PrepareJob, type SourceProgress } from './prepare-records.ts';
import { identifyRequestingApp } from './requesting-app.ts';
import { grantRequest, type RequestRow } from './requests.sql.ts';
import { requireUnchanged, toAskingClient } from './short-form.ts';

export interface WriteGrantDeps extends DecisionDeps {
  jobs: Jobs;
  /** The hash of the built page that the patient decides on. */
  uiHash: string;
}

export interface AcceptedDecision {
  request: RequestRow;
  session: PatientSession;
  body: InteractionDecision;
  /** Until when the app gets something. */
  expiresAt: Date;
  progress: readonly SourceProgress[];
  status: 'processing' | 'ready';
}

interface GrantContext {
  now: Date;
  app: AppIdentity;
  grantId: GrantId;
  uiHash: string;
}

/** The longest lifetime of a grant, whatever the consent. */
const MAX_GRANT_MS = 90 * 24 * 3600 * 1000;

/**
 * Writes a consent to what an app requests, and the grant. All that it asks before is sent at once, and so is all that it writes:
 * the answers come in this order, and nothing is written before the last of them. The organization is locked before all else: a
 * block waits for this transaction and then ends what it granted, or it is here before and this waits for it. The enrollment is
 * locked before the request, as a withdrawal does, which denies requests.
 */
export async function writeGrant(tx: Tx, deps: WriteGrantDeps, accepted: AcceptedDecision): Promise<void> {
  const { request, session, status } = accepted;
  const { request_id: requestId } = request;
  const now = deps.clock.now();
  const grantId = generateId<GrantId>();
  const context = { now, app: identifyRequestingApp(request), grantId, uiHash: deps.uiHash };
  const job = { kind: PREPARE_JOB, uniqueKey: requestId, payload: { requestId } } as const;
  const shared = tx.query(shareOrganization(request.organization_id));
  const consent = giveConsent(tx, deps, {
    ...toConsentInput(accepted, context, () => draft),
    getAdmission: () => admitted,
    writeAlso: ({ consentRecordId }) =>
      Promise.all([
        tx.query(insertGrant(buildGrant(accepted, context, consentRecordId))),
        status === 'processing' && deps.jobs.enqueue<PrepareJob>(tx, job),
      ]),
  });
  const admitted = admit(tx, accepted, context);
  const draft = endDraft(tx, getDraftKey(request, session), now);
  await Promise.all([shared, consent, admitted, draft]);
}

/** Grants the request, once, and lets its app in, or throws. */
async function admit(
  tx: Tx,
  { request, session, body, progress, status }: AcceptedDecision,
  { now, app, grantId }: GrantContext,
): Promise<void> {
  const grant = {
    patientId: session.patientId,
    grantId,
    status,
    progress: JSON.stringify(progress),
    now,
    expiresAt: new Date(now.getTime() + REQUEST_LIFETIME_MS),
    decisionKey: body.decisionKey ?? null,
  };
  const admission = await one(tx, grantRequest(request, app, grant));
  requireAllowedApp(admission);
  if (!admission.granted) throw alreadyDecided();
}

/** Specially protected classes are shared only where the patient chose them. */
const getChosenScopes = (body: InteractionDecision) =>
  toDataScopes(body.consentDataResourceScopes, body.consentDataSensitivityScopes ?? ['NORMAL']);

const toConsentInput = (
  { request, session, body, expiresAt }: AcceptedDecision,
  { now, uiHash }: GrantContext,
  getDraft: () => Promise<EndedDraft>,
): Omit<AppConsentInput, 'getAdmission' | 'writeAlso'> => {
  const scopes = getChosenScopes(body);
  const client = toAskingClient(request, session.patientId);
  const chosen = { scopes, expiresAt, representative: body.representative };
  return {
    patientId: session.patientId,
    projectId: request.project_id,
    scopes,
    expiresAt,
    studySnapshotId: body.studySnapshotId ?? null,
    ...(body.replaces !== undefined && { replaces: body.replaces }),
    stats: {
      sessionLength: Math.round((now.getTime() - request.created_at.getTime()) / 1000),
      interactions: body.interactions,
    },
    client: request.client_id,
    clientName: request.client_name,
    language: body.language,
    representative: body.representative,
    takeScreenshots: async (tx, context) =>
      takeEvidence(
        tx,
        { draft: await getDraft(), uiHash, now, named: body.screens },
        { terms: body, requireShortForm: () => requireUnchanged(tx, { client, uiHash, chosen }, context) },
      ),
    decisionKey: body.decisionKey ?? null,
    uiHash,
  };
};

function buildGrant(
  { request, session, body, expiresAt }: AcceptedDecision,
  { now, app, grantId }: GrantContext,
  consentRecordId: ConsentRecordId,
): NewGrant {
  const longest = new Date(now.getTime() + MAX_GRANT_MS);
  return {
    patientId: session.patientId,
    grantId,
    organizationId: request.organization_id,
    projectId: request.project_id,
    clientId: request.client_id,
    clientName: request.client_name,
    appId: app.appId,
    redirectHost: toAskingClient(request, session.patientId).redirectHost,
    resource: request.resource,
    ...resolveRefreshability(request, body),
    consentRecordId,
    withheld: toWithheldMask(getChosenScopes(body)),
    now,
    expiresAt: expiresAt < longest ? expiresAt : longest,
  };
}

/** A one-time consent gets no refresh token: it ends an hour after the decision, and an access token lives as long. */
const resolveRefreshability = (
  { scope, refreshable }: RequestRow,
  { duration }: InteractionDecision,
): Pick<RequestRow, 'scope' | 'refreshable'> =>
  duration === 'once'
    ? {
        scope: scope
          .split(' ')
          .filter((name) => name !== 'offline_access')
          .join(' '),
        refreshable: false,
      }
    : { scope, refreshable };

export const alreadyDecided = (): Refusal =>
  new Refusal(409, 'already_decided', {
    detail: 'This request was decided before or has expired.',
  });
