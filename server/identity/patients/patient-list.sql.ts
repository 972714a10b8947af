import type { OrganizationReach } from '../../../contract/audience.ts';
import type { PatientId, ProjectId } from '../../../contract/brands.ts';
import { INVITABLE_STATES, type PatientState } from '../../../contract/organization/patients.ts';
import { lastUsedAt } from '../../platform/audit/reads.sql.ts';
import { raw, sql, type Sql } from '../../platform/db/sql.ts';
import { isWithinProjects } from '../organizations/reach.sql.ts';
import { isPhoneWithinProjects, listPhones } from './patient-phones.sql.ts';
import { MAIL_LANGUAGE } from './patients.sql.ts';
import { normalizePhone } from './phone.ts';

export interface PatientFilter {
  q?: string | undefined;
  projectId?: ProjectId | undefined;
  state?: readonly PatientState[] | undefined;
  invitedBefore?: string | undefined;
  /** A condition on a present enrollment `e`, of the wing that knows sources. */
  atSource?: Sql | undefined;
}

/** An enrollment's place in the list. */
export interface ListPlace {
  createdAt: Date;
  patientId: PatientId;
  projectId: ProjectId;
}

export interface EnrollmentRow {
  patient_id: PatientId;
  project_id: ProjectId;
  email: string | null;
  first_name: string | null;
  last_name: string | null;
  external_id: string | null;
  state: PatientState;
  since: Date;
  created_at: Date;
  invited_at: Date | null;
  last_invited_at: Date | null;
  opened_at: Date | null;
  account_at: Date | null;
  decided_at: Date | null;
}

export interface ListedRow extends EnrollmentRow {
  project_name: string;
  is_test_patient: boolean;
  last_read_at: Date | null;
}

/**
 * Since when somebody can sign in, as the organization may know: not before they came to its invitation or decided something.
 * Who has an account for another reason is nothing for whoever has their address.
 */
const ACCOUNT_AT = raw('case when e.opened_at is not null or e.standing is not null then e.account_at end');

/** Which state an enrollment `e` is in; contract/organization/patients.ts says what each means. */
const stateAt = (now: Date): Sql => sql`
  case when e.standing = 'consents' then case when e.consents_until > ${now} then 'consents' else 'expired' end
    when e.standing is not null then e.standing
    when ${ACCOUNT_AT} is not null then 'has_account' when e.opened_at is not null then 'opened'
    when e.invited_at is not null then 'invited' else 'enrolled' end`;

const sinceAt = (now: Date): Sql => sql`
  case when e.standing = 'consents' and e.consents_until <= ${now} then e.consents_until
    else coalesce(e.standing_since, greatest(${ACCOUNT_AT}, e.opened_at), e.invited_at, e.created_at) end`;

const enrollmentColumns = (now: Date): Sql => sql`
  e.organization_id, e.patient_id, e.project_id, e.email, e.first_name, e.last_name, e.external_id,
  ${stateAt(now)} as state, ${sinceAt(now)} as since, e.created_at, e.invited_at, e.last_invited_at, e.opened_at,
  ${ACCOUNT_AT} as account_at, e.decided_at`;

const PAST_COLUMNS = raw(`
  e.organization_id, e.patient_id, e.project_id, null::text as email, null::text as first_name, null::text as last_name,
  e.external_id, e.state, e.ended_at as since, e.created_at, null::timestamptz as invited_at, null::timestamptz as last_invited_at,
  null::timestamptz as opened_at, null::timestamptz as account_at, null::timestamptz as decided_at`);

/** Whoever was enrolled again is listed once. */
const IS_PAST = raw(`not exists (
  select from enrollment c where c.patient_id = e.patient_id and c.project_id = e.project_id)`);

/** A range of the index: an expression with `text_pattern_ops` begins with a prefix. */
const startsWith = (expression: Sql, prefix: Sql): Sql => sql`
  (${expression} ~>=~ ${prefix} and ${expression} ~<~ (${prefix} || ${'\u{10FFFF}'}))`;

const fold = (text: string): Sql => sql`fold_text(${text}::text)`;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** What a search finds a person by besides what the organization wrote of them, which a past enrollment has no more. */
const matchesId = (q: string): Sql => sql`
  (${startsWith(raw('fold_text(e.external_id)'), fold(q))} or ${UUID.test(q.toLowerCase()) ? sql`e.patient_id = ${q.toLowerCase()}::uuid` : raw('false')})`;

/**
 * A condition on a present enrollment `e`. Each way is looked up by its index: joined by `or`, the planner goes through the
 * list instead and folds every name of it (seconds for 100,000 people). All of them first, as an array: the planner, which does
 * not know how many rows the page asks for, would go through the list and compare each with all that were found.
 */
function matches(q: string, reach: OrganizationReach): Sql {
  const name = fold(q.replace(/[\s,]+/gu, ' ').trim());
  const phone = /^[\d\s().+-]+$/.test(q) ? normalizePhone(q) : '';
  const by = (condition: Sql): Sql => sql`
    select s.patient_id from enrollment s
    where s.organization_id = ${reach.organizationId} and ${isWithinProjects(reach, raw('s.project_id'))} and ${condition}`;
  const byPhone = sql`
    select t.patient_id from patient_phone t
    where t.organization_id = ${reach.organizationId} and ${isPhoneWithinProjects(reach)}
      and ${startsWith(raw('t.phone'), sql`${phone}::text`)}`;
  const id = q.toLowerCase();
  return sql`e.patient_id = any(array(
    ${by(startsWith(raw(`fold_text(s.first_name || ' ' || s.last_name)`), name))}
    union all ${by(startsWith(raw(`fold_text(s.last_name || ' ' || s.first_name)`), name))}
    union all ${by(startsWith(raw('lower(s.email)'), sql`lower(${q}::text)`))}
    union all ${by(startsWith(raw('fold_text(s.external_id)'), fold(q)))}
    ${UUID.test(id) ? sql`union all select ${id}::uuid` : raw('')}
    ${phone.length < 3 ? raw('') : sql`union all ${byPhone}`}))`;
}

const isInScope = (reach: OrganizationReach, { projectId }: PatientFilter): Sql => sql`
  e.organization_id = ${reach.organizationId} and ${isWithinProjects(reach, raw('e.project_id'))}
  and ${projectId === undefined ? raw('true') : sql`e.project_id = ${projectId}`}`;

const isAfter = (after: ListPlace | null): Sql =>
  after === null
    ? raw('true')
    : sql`(e.created_at, e.patient_id, e.project_id) < (${after.createdAt}, ${after.patientId}, ${after.projectId})`;

const NEWEST_FIRST = raw('order by e.created_at desc, e.patient_id desc, e.project_id desc');

interface ListPage {
  after: ListPlace | null;
  limit: number;
  now: Date;
}

/** A condition on a present enrollment `e`. */
const isFound = (reach: OrganizationReach, filter: PatientFilter, now: Date): Sql => sql`
  ${isInScope(reach, filter)}
  and ${filter.q === undefined ? raw('true') : matches(filter.q, reach)}
  and ${filter.state === undefined ? raw('true') : sql`${stateAt(now)} = any(${filter.state}::text[])`}
  and ${filter.invitedBefore === undefined ? raw('true') : sql`e.last_invited_at < ${filter.invitedBefore}`}
  and ${filter.atSource ?? raw('true')}`;

const selectPresent = (
  reach: OrganizationReach,
  filter: PatientFilter,
  { after, limit, now }: ListPage,
): Sql => sql`
  (select ${enrollmentColumns(now)} from enrollment e
    where ${isFound(reach, filter, now)} and ${isAfter(after)} ${NEWEST_FIRST} limit ${limit})`;

const selectPast = (
  reach: OrganizationReach,
  { q, state, ...filter }: PatientFilter,
  { after, limit }: ListPage,
): Sql => sql`
  (select ${PAST_COLUMNS} from past_enrollment e
    where ${isInScope(reach, filter)} and ${q === undefined ? raw('true') : matchesId(q)}
      and ${state === undefined ? raw('true') : sql`e.state = any(${state}::text[])`}
      and ${IS_PAST} and ${isAfter(after)} ${NEWEST_FIRST} limit ${limit})`;

const isPast = (state: PatientState): boolean => state === 'ended' || state === 'deleted';

function selectEnrollments(reach: OrganizationReach, filter: PatientFilter, page: ListPage): Sql {
  const isPastOnly = filter.state?.every(isPast) ?? false;
  const isOfPresent =
    filter.invitedBefore !== undefined ||
    filter.atSource !== undefined ||
    filter.state?.some(isPast) === false;
  if (isPastOnly && !isOfPresent) return selectPast(reach, filter, page);
  const present = selectPresent(reach, filter, page);
  if (isOfPresent) return present;
  return sql`${present} union all ${selectPast(reach, filter, page)}`;
}

/** Selects a page of an organization's enrollments, present and past, newest first, each with when its project last read the record. */
export const selectPatientPage = (
  reach: OrganizationReach,
  filter: PatientFilter,
  page: ListPage,
) => sql<ListedRow>`
  select e.*, pr.name as project_name, coalesce(p.test_organization_id is not null, false) as is_test_patient,
    ${lastUsedAt({ organizationId: raw('e.organization_id'), patientId: raw('e.patient_id'), projectId: raw('e.project_id') })}
      as last_read_at
  from (select e.* from (${selectEnrollments(reach, filter, page)}) e ${NEWEST_FIRST} limit ${page.limit}) e
  join project pr on pr.project_id = e.project_id
  left join patient p on p.patient_id = e.patient_id
  ${NEWEST_FIRST}`;

/** Selects the enrollments of one patient that a caller may see, present and past, the newest first. */
export const selectPatientEnrollments = (patientId: PatientId, reach: OrganizationReach, now: Date) =>
  sql<EnrollmentRow & { project_name: string }>`
  select e.*, pr.name as project_name
  from (
    select ${enrollmentColumns(now)} from enrollment e where e.patient_id = ${patientId} and ${isInScope(reach, {})}
    union all
    select ${PAST_COLUMNS} from past_enrollment e
    where e.patient_id = ${patientId} and ${isInScope(reach, {})} and ${IS_PAST}) e
  join project pr on pr.project_id = e.project_id
  ${NEWEST_FIRST}`;

/** Selects what a caller may know of a patient besides: the telephone numbers that its organization wrote. */
export const selectPatientFacts = (patientId: PatientId, reach: OrganizationReach) => sql<{
  is_test_patient: boolean;
  phones: string[];
}>`
  select exists (select from patient p where p.patient_id = ${patientId} and p.test_organization_id is not null) as is_test_patient,
    ${listPhones(patientId, reach)} as phones`;

/** A condition on `e`: an invitation is of use, and there is a mailbox for it. */
const isInvitable = (reach: OrganizationReach, filter: PatientFilter, now: Date): Sql => sql`
  ${isFound(reach, filter, now)} and e.standing is null and ${stateAt(now)} = any(${[...INVITABLE_STATES]}::text[])
  and not exists (select from patient p where p.patient_id = e.patient_id and p.test_organization_id is not null)`;

/** Counts those whom a filter finds for an invitation, and those of them who got one since `since`. */
export const countInvitable = (
  reach: OrganizationReach,
  filter: PatientFilter,
  { since, now }: { since: Date; now: Date },
) => sql<{ matched: number; recent: number }>`
  select count(*) as matched, count(*) filter (where e.last_invited_at > ${since}) as recent
  from enrollment e where ${isInvitable(reach, filter, now)}`;

export interface InvitedRow {
  patient_id: PatientId;
  project_id: ProjectId;
  email: string;
  first_name: string;
  language: string | null;
}

/**
 * Notes an invitation of some of those who got none since `since`, and returns them: of two calls at once, each takes others.
 * The mail goes where the organization has written that they are, and says nothing else of them (`toRecipient`).
 */
export const claimInvitable = (
  reach: OrganizationReach,
  filter: PatientFilter,
  { since, now, limit }: { since: Date; now: Date; limit: number },
) => sql<InvitedRow>`
  with due as (
    select e.patient_id, e.project_id from enrollment e
    where ${isInvitable(reach, filter, now)} and (e.last_invited_at is null or e.last_invited_at <= ${since})
    order by e.created_at, e.patient_id limit ${limit} for update skip locked)
  update enrollment e set invited_at = coalesce(e.invited_at, ${now}), last_invited_at = ${now}
  from due, patient p
  where e.patient_id = due.patient_id and e.project_id = due.project_id and p.patient_id = due.patient_id
  returning e.patient_id, e.project_id, coalesce(e.email, p.email) as email, coalesce(e.first_name, p.first_name) as first_name,
    case when lower(coalesce(e.email, p.email)) = lower(p.email) then ${MAIL_LANGUAGE} else e.language end as language`;

/** Counts the enrollments that a filter finds, and those of them with a consent in force. */
export const countEnrollments = (reach: OrganizationReach, filter: PatientFilter, now: Date) => sql<{
  matched: number;
  consenting: number;
}>`
  select count(*) as matched, count(*) filter (where ${stateAt(now)} = 'consents') as consenting
  from enrollment e where ${isFound(reach, filter, now)}`;

interface EnrollmentKey {
  patient_id: PatientId;
  project_id: ProjectId;
}

/** Selects some of the enrollments that a filter finds, the oldest first. */
export const selectEnrollmentKeys = (
  reach: OrganizationReach,
  filter: PatientFilter,
  { now, limit }: { now: Date; limit: number },
) => sql<EnrollmentKey>`
  select e.patient_id, e.project_id from enrollment e where ${isFound(reach, filter, now)}
  order by e.created_at, e.patient_id, e.project_id limit ${limit}`;

/** Selects an enrollment if a filter finds it still. */
export const selectFoundEnrollment = (
  reach: OrganizationReach,
  { patientId, ...filter }: PatientFilter & { patientId: PatientId; projectId: ProjectId },
  now: Date,
) => sql`select from enrollment e where e.patient_id = ${patientId} and ${isFound(reach, filter, now)}`;

/** Counts who takes part in each project. */
export const countEnrolled = (reach: OrganizationReach) => sql<{ project_id: ProjectId; patients: number }>`
  select e.project_id, count(*) as patients from enrollment e where ${isInScope(reach, {})} group by 1`;

export interface FunnelRow {
  /** null: the total. */
  week: string | null;
  invited: number;
  opened: number;
  has_account: number;
  consented: number;
  declined: number;
  to_opened: number | null;
  to_account: number | null;
  to_decision: number | null;
}

const medianTo = (column: Sql): Sql => sql`
  percentile_cont(0.5) within group (order by extract(epoch from ${column} - e.invited_at)::float8)
    filter (where ${column} >= e.invited_at)`;

/** Counts how far those came who were first invited in a time, by week and in total. Times sort at less cost than texts. */
export const selectFunnel = (
  reach: OrganizationReach,
  { projectId, from, to, zone }: { projectId: ProjectId | undefined; from: Date; to: Date; zone: string },
) => sql<FunnelRow>`
  select to_char(e.week_begin, 'YYYY-MM-DD') as week, count(*) as invited,
    count(*) filter (where e.opened_at is not null or e.standing is not null) as opened,
    count(*) filter (where ${ACCOUNT_AT} is not null) as has_account,
    count(*) filter (where e.standing in ('consents', 'withdrew')) as consented,
    count(*) filter (where e.standing = 'declined') as declined,
    ${medianTo(raw('e.opened_at'))} as to_opened, ${medianTo(ACCOUNT_AT)} as to_account,
    ${medianTo(raw('e.decided_at'))} as to_decision
  from (
    select e.*, date_trunc('week', e.invited_at at time zone ${zone}::text) as week_begin from enrollment e
    where ${isInScope(reach, { projectId })} and e.invited_at >= ${from} and e.invited_at < ${to}) e
  group by grouping sets ((e.week_begin), ()) order by e.week_begin nulls first`;
