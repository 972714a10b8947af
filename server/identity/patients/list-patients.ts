import type { z } from 'zod';
import type { OrganizationReach } from '../../../contract/audience.ts';
import type { OrganizationId, PatientId, ProjectId } from '../../../contract/brands.ts';
import { toEndMoment, toFirstMoment } from '../../../contract/day-or-instant.ts';
import type * as contract from '../../../contract/organization/patients.ts';
import { getTimeZone } from '../organizations/time-zone.ts';
import type { SourceState } from '../../../contract/organization/source-syncs.ts';
import type { Db } from '../../platform/db/db.ts';
import type { Sql } from '../../platform/db/sql.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import { invalidInput } from '../../platform/kernel/refusal.ts';
import * as statements from './patient-list.sql.ts';

interface Deps {
  db: Db;
  clock: Clock;
  isAtSource: IsAtSource;
}

/** Makes the condition that an enrollment `e` of the organization is of somebody in this state at a source of it. */
export type IsAtSource = (organizationId: OrganizationId, states: readonly SourceState[]) => Sql;

type Query = z.infer<(typeof contract.listPatients)['query']>;
type PatientPage = z.input<(typeof contract.listPatients)['response']>;
type Funnel = z.input<(typeof contract.getPatientFunnel)['response']>;

/**
 * Lists the enrollments that a caller may see. What the list shows is what the organization itself wrote, and how far each
 * person has come; only the look at one of them is an entry of the log.
 */
export async function listPatients(
  { db, clock, isAtSource }: Deps,
  reach: OrganizationReach,
  { after, limit, sourceState, ...query }: Query,
): Promise<PatientPage> {
  const page = { after: after === undefined ? null : parsePlace(after), limit: limit + 1, now: clock.now() };
  const filter = {
    ...query,
    ...(sourceState !== undefined && { atSource: isAtSource(reach.organizationId, sourceState) }),
  };
  const rows = await db.query(statements.selectPatientPage(reach, filter, page));
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return { results: shown.map(toListedDto), next: rows.length > limit && last ? formatPlace(last) : null };
}

const formatPlace = (row: statements.ListedRow): string =>
  [row.created_at.getTime(), row.patient_id, row.project_id].join('.');

/** Parses what the contract has found to be a place. */
function parsePlace(after: string): statements.ListPlace {
  const [time, patientId, projectId] = after.split('.') as [string, PatientId, ProjectId];
  return { createdAt: new Date(Math.min(Number(time), MAX_TIME)), patientId, projectId };
}

/** The year 9999; a larger number is no date that the store takes. */
const MAX_TIME = 253_402_300_799_999;

const toListedDto = (row: statements.ListedRow): PatientPage['results'][number] => ({
  patientId: row.patient_id,
  project: { id: row.project_id, name: row.project_name },
  email: row.email,
  firstName: row.first_name,
  lastName: row.last_name,
  externalId: row.external_id,
  isTestPatient: row.is_test_patient,
  state: row.state,
  since: row.since.toISOString(),
  enrolledAt: row.created_at.toISOString(),
  lastInvitedAt: row.last_invited_at?.toISOString() ?? null,
  lastReadAt: row.last_read_at?.toISOString() ?? null,
});

/** Counts how far those came who were invited in a time. */
export async function getFunnel(
  { db }: Pick<Deps, 'db'>,
  reach: OrganizationReach,
  { projectId, from, to }: z.infer<(typeof contract.getPatientFunnel)['query']>,
): Promise<Funnel> {
  const zone = await getTimeZone(db, reach.organizationId);
  const range = { from: toFirstMoment(from, zone), to: toEndMoment(to, zone) };
  if (range.from >= range.to) throw invalidInput([{ path: 'to', message: 'must be after `from`' }]);
  const rows = await db.query(statements.selectFunnel(reach, { projectId, ...range, zone }));
  const total = rows.find(({ week }) => week === null);
  const weeks = rows.flatMap((row) => (row.week === null ? [] : [{ week: row.week, ...toStages(row) }]));
  return { total: total ? toStages(total) : NOBODY, weeks };
}

const toStages = (row: statements.FunnelRow): Funnel['total'] => ({
  invited: row.invited,
  opened: row.opened,
  hasAccount: row.has_account,
  consented: row.consented,
  declined: row.declined,
  medianSeconds: { toOpened: row.to_opened, toAccount: row.to_account, toDecision: row.to_decision },
});

const NOBODY: Funnel['total'] = {
  invited: 0,
  opened: 0,
  hasAccount: 0,
  consented: 0,
  declined: 0,
  medianSeconds: { toOpened: null, toAccount: null, toDecision: null },
};
