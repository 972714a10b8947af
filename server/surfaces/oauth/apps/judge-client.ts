import type { OrganizationCaller } from '../../../../contract/audience.ts';
import type { ClientAppId, OrganizationId } from '../../../../contract/brands.ts';
import type { ClientJudging } from '../../../../contract/organization/clients.ts';
import { countConnections } from '../../../consent/grants/app-grants.sql.ts';
import { lockOrganization } from '../../../identity/organizations/organizations.sql.ts';
import { toActor, type Audit } from '../../../platform/audit/append.ts';
import { maybeOne, one, type Db, type Tx } from '../../../platform/db/db.ts';
import { selectLatestNow } from '../../../platform/db/store-clock.ts';
import type { Clock } from '../../../platform/kernel/clock.ts';
import { invalidInput, notFound, Refusal } from '../../../platform/kernel/refusal.ts';
import { toOwnTarget } from './app-identity.ts';
import { findApp, type AppRow } from './apps.sql.ts';
import { endConnections } from './end-connections.ts';
import { deleteJudgements, findCaughtApps, upsertJudgement, type CaughtApp } from './judgements.sql.ts';

export interface JudgeDeps {
  db: Db;
  clock: Clock;
  audit: Audit;
}

interface Judging {
  caller: OrganizationCaller;
  appId: ClientAppId;
  body: ClientJudging;
}

export interface Judged {
  app: AppRow;
  ends: { connections: number; patients: number };
  /** Other apps that the block catches. */
  alsoCaught: CaughtApp[];
}

/** An app with the transaction that judges it. */
interface Subject extends Judging {
  app: AppRow;
  organizationId: OrganizationId;
  now: Date;
}

/**
 * Judges an app. The lock of the organization orders a block and the decisions of patients, who share it: a decision that
 * is written first is seen and its grant revoked, one that comes later finds the block. So no grant of a blocked app is
 * ever in force, and neither the tokens nor the statement that reads need ask for it.
 */
export function judgeClient(deps: JudgeDeps, judging: Judging): Promise<Judged> {
  const { organizationId } = judging.caller;
  return deps.db.tx(async (tx) => {
    await tx.query(lockOrganization(organizationId));
    const { now } = await one(tx, selectLatestNow(deps.clock.now()));
    const app = await maybeOne(tx, findApp(organizationId, judging.appId, now));
    if (!app) throw notFound('The app');
    const { until } = judging.body;
    if (until !== null && new Date(until) <= now)
      throw invalidInput([{ path: 'until', message: 'must lie in the future' }]);
    const subject = { ...judging, app, organizationId, now };
    const outcome = await JUDGE[judging.body.judgement](tx, deps, subject);
    return { app: (await maybeOne(tx, findApp(organizationId, judging.appId, now))) ?? app, ...outcome };
  });
}

const NOTHING_ENDS = { ends: { connections: 0, patients: 0 }, alsoCaught: [] };

type Judge = (tx: Tx, deps: JudgeDeps, subject: Subject) => Promise<Omit<Judged, 'app'>>;

const vouch: Judge = async (tx, deps, subject) => {
  const { app, organizationId } = subject;
  if (app.document_url === null && app.redirect_host === null)
    throw new Refusal(409, 'cannot_vouch', {
      detail: "A program on a patient's device without a document cannot be told from another of its name.",
    });
  if (app.judgement === 'blocked')
    throw new Refusal(409, 'client_blocked', { detail: 'The app is blocked; take the block back first.' });
  if (subject.body.dryRun) return NOTHING_ENDS;
  await tx.query(upsertJudgement(toRow(subject, 'vouched', toOwnTarget(app.app_id))));
  await deps.audit.write(tx, { organizationId, ...toEntry(subject, 'client.vouched') });
  return NOTHING_ENDS;
};

/** Takes back whatever judges the app: its vouch, or each block that catches it. What a block ended stays ended. */
const forget: Judge = async (tx, deps, subject) => {
  const { app, organizationId } = subject;
  if (subject.body.dryRun || app.judgement === null) return NOTHING_ENDS;
  await tx.query(deleteJudgements(organizationId, [toOwnTarget(app.app_id), ...app.targets]));
  const action = app.judgement === 'blocked' ? 'client.unblocked' : 'client.unvouched';
  await deps.audit.write(tx, { organizationId, ...toEntry(subject, action) });
  return NOTHING_ENDS;
};

/** Another app of the same host is the same operator, so that a block ends its vouches as well. */
const block: Judge = async (tx, deps, subject) => {
  const { app, organizationId, now } = subject;
  const target = getBlockTarget(app);
  const caught = await tx.query(findCaughtApps(organizationId, target));
  const appIds = caught.map(({ app_id: appId }) => appId);
  const ends = await one(tx, countConnections(organizationId, appIds, now));
  const alsoCaught = caught.filter(({ app_id: appId }) => appId !== app.app_id).slice(0, 100);
  if (subject.body.dryRun) return { ends, alsoCaught };
  await tx.query(deleteJudgements(organizationId, appIds.map(toOwnTarget)));
  await tx.query(upsertJudgement(toRow(subject, 'blocked', target)));
  const entry = toEntry(subject, 'client.blocked');
  await deps.audit.write(tx, { organizationId, ...entry, detail: { ...entry.detail, ...ends } });
  await endConnections(tx, deps.audit, { organizationId, appIds, actor: entry.actor, now });
  return { ends, alsoCaught };
};

const JUDGE: Readonly<Record<ClientJudging['judgement'], Judge>> = {
  new: forget,
  vouched: vouch,
  blocked: block,
};

/** What a block of the app names. */
export const getBlockTarget = ({ targets }: Pick<AppRow, 'targets'>): string => targets[0] as string;

const toRow = (
  { organizationId, caller, body, now }: Subject,
  judgement: 'vouched' | 'blocked',
  target: string,
): Parameters<typeof upsertJudgement>[0] => ({
  organization_id: organizationId,
  target,
  judgement,
  note: body.note ?? '',
  judged_until: body.until === null ? null : new Date(body.until),
  decided_by_kind: caller.kind,
  decided_by: caller.subject,
  decided_at: now,
});

const toEntry = (
  { caller, app, body }: Subject,
  action: 'client.vouched' | 'client.unvouched' | 'client.blocked' | 'client.unblocked',
) => ({
  action,
  actor: toActor(caller),
  detail: { appId: app.app_id, name: app.client_name, blocks: getBlockTarget(app), until: body.until },
});
