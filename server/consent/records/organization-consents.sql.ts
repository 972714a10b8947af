import type { z } from 'zod';
import type { OrganizationReach } from '../../../contract/audience.ts';
import type { ConsentStatus, ConsentType } from '../../../contract/account/consent.ts';
import type { DecisionKind } from '../../../contract/account/my-receipts.ts';
import type { ConsentRecordId, PatientId, ProjectId } from '../../../contract/brands.ts';
import type { ResourceScope, RestrictedScope, SensitivityScope } from '../../../contract/data-categories.ts';
import type {
  DecisionState,
  listOrganizationConsents,
} from '../../../contract/organization/organization-consents.ts';
import { isWithinProjects } from '../../identity/organizations/reach.sql.ts';
import type { ClientFilter } from '../grants/app-clients.ts';
import { raw, sql, type Sql } from '../../platform/db/sql.ts';
import { latestNow } from '../../platform/db/store-clock.ts';
import { ENROLLMENT_ENDED_FLOW } from '../decisions/decide.ts';
import { REPLACES_CONSENT } from './consent-records.sql.ts';

export interface OrganizationConsentRow {
  consent_record_id: ConsentRecordId;
  decided_at: Date;
  patient_id: PatientId;
  /** As the organization wrote it; null: it did not, as of whoever came by an app, or they take part no more. */
  first_name: string | null;
  last_name: string | null;
  is_deleted: boolean;
  project_id: ProjectId;
  project_name: string;
  consent_type: ConsentType;
  consent_status: ConsentStatus;
  replaces_consent: boolean;
  state: DecisionState;
  expires_at: Date;
  resource_scopes: ResourceScope[] | null;
  sensitivity_scopes: SensitivityScope[] | null;
  /** JSON; null: all of it ends together. */
  parts: string | null;
  client_id: string | null;
  client_name: string | null;
  language: string | null;
  consent_ui_flow: string;
  ui_hash: string;
  study_snapshot_id: string;
  version: number | null;
  screenshots: number;
}

export type ConsentFilter = Omit<z.infer<(typeof listOrganizationConsents)['query']>, 'after' | 'limit'> &
  ClientFilter;

/** The position of a record in the list. */
export interface ConsentPosition {
  decided_at: Date;
  consent_record_id: ConsentRecordId;
}

const DECISIONS: Readonly<Record<DecisionKind, Sql>> = {
  given: raw(`r.consent_status = 'OPTED_IN' and r.in_force_since = r.decided_at`),
  changed: raw(`r.consent_status = 'OPTED_IN' and r.in_force_since < r.decided_at`),
  refused: raw(`r.consent_status = 'OPTED_OUT' and r.in_force_since is null`),
  withdrawn: sql`r.consent_status = 'OPTED_OUT' and r.in_force_since is not null and r.consent_ui_flow <> ${ENROLLMENT_ENDED_FLOW}`,
  revoked: sql`r.consent_ui_flow = ${ENROLLMENT_ENDED_FLOW}`,
};

const isNewest = sql`exists (
  select from consent c where c.patient_id = r.patient_id and c.project_id = r.project_id
    and c.consent_type = r.consent_type and c.consent_record_id = r.consent_record_id)`;

/** Columns of the index come first: what they leave is looked up. */
const STATES: Readonly<Record<DecisionState, (now: Date) => Sql>> = {
  in_force: (now) => sql`r.consent_status = 'OPTED_IN' and r.expires_at > ${latestNow(now)} and ${isNewest}`,
  expired: (now) => sql`r.consent_status = 'OPTED_IN' and r.expires_at <= ${latestNow(now)} and ${isNewest}`,
  opted_out: () => sql`r.consent_status = 'OPTED_OUT' and ${isNewest}`,
  replaced: () => sql`not ${isNewest}`,
};

const DAY_MS = 24 * 3_600_000;

const endsWithin = (days: number, now: Date): Sql => sql`
  ${STATES.in_force(now)} and r.expires_at <= ${new Date(now.getTime() + days * DAY_MS)}`;

const hasNoPicture = raw(`not exists (
  select from consent_screenshot s where s.patient_id = r.patient_id and s.consent_record_id = r.consent_record_id)`);

/**
 * As the record says it: of one that names neither categories nor classes, that it covers no protected class. Of parts, as those do
 * that go on while it is in force.
 */
const coversOne = (restricted: readonly RestrictedScope[], now: Date): Sql => sql`
  r.consent_status = 'OPTED_IN' and case
    when r.parts is not null then exists (
      select from json_array_elements(r.parts) as parts(part)
      where case when json_typeof(part -> 'sensitivityScopes') = 'null' then json_typeof(part -> 'resourceScopes') <> 'null'
          else exists (
            select from json_array_elements_text(part -> 'sensitivityScopes') as classes(name) where name = any(${restricted}::text[])) end
        and ((part ->> 'expiresAt')::timestamptz > ${latestNow(now)} or not (${STATES.in_force(now)})))
    when r.consent_data_sensitivity_scopes is null then r.consent_data_resource_scopes is not null
    else r.consent_data_sensitivity_scopes && ${restricted}::text[] end`;

const always = raw('true');

const isEither = (conditions: readonly Sql[]): Sql =>
  sql`(${conditions.reduce((all, condition) => sql`${all} or ${condition}`)})`;

/** One is compared by itself: its decisions then come from the index in their order. */
const isOfPage = (hashes: readonly string[]): Sql =>
  hashes.length === 1 ? sql`r.ui_hash = ${hashes[0]}` : sql`r.ui_hash = any(${hashes}::text[])`;

/** By the digest first, which the index has. */
const isOfClients = (clients: readonly string[]): Sql => sql`
  md5(r.client_id) = any(array(select md5(c) from unnest(${clients}::text[]) c)) and r.client_id = any(${clients}::text[])`;

/** A condition on a row `r` of `consent_record`. */
const matches = (filter: ConsentFilter, now: Date): Sql => sql`
  ${filter.projectId === undefined ? always : sql`r.project_id = ${filter.projectId}`}
  and ${filter.patientId === undefined ? always : sql`r.patient_id = ${filter.patientId}`}
  and ${filter.type === undefined ? always : sql`r.consent_type = any(${filter.type}::text[])`}
  and ${filter.decision === undefined ? always : isEither(filter.decision.map((decision) => DECISIONS[decision]))}
  and ${filter.since === undefined ? always : sql`r.decided_at >= ${new Date(filter.since)}`}
  and ${filter.until === undefined ? always : sql`r.decided_at < ${new Date(filter.until)}`}
  and ${filter.language === undefined ? always : sql`r.language = ${filter.language}`}
  and ${filter.client === undefined ? always : sql`md5(r.client_id) = md5(${filter.client}) and r.client_id = ${filter.client}`}
  and ${filter.clients === undefined ? always : isOfClients(filter.clients)}
  and ${filter.version === undefined ? always : sql`r.study_snapshot_id = ${filter.version}`}
  and ${filter.state === undefined ? always : isEither(filter.state.map((state) => STATES[state](now)))}
  and ${filter.endsWithin === undefined ? always : endsWithin(filter.endsWithin, now)}
  and ${filter.withoutPictures === undefined ? always : hasNoPicture}
  and ${filter.flow === undefined ? always : sql`r.consent_ui_flow = any(${filter.flow}::text[])`}
  and ${filter.uiHash === undefined ? always : isOfPage(filter.uiHash)}
  and ${filter.shares === undefined ? always : coversOne(filter.shares, now)}`;

interface ListQuery {
  reach: OrganizationReach;
  filter: ConsentFilter;
  after: ConsentPosition | null;
  limit: number;
  now: Date;
}

/** Selects a page of decisions, newest first: by the index alone, and only what is on the page is looked up. */
export const selectOrganizationConsents = ({
  reach,
  filter,
  after,
  limit,
  now,
}: ListQuery) => sql<OrganizationConsentRow>`
  select r.consent_record_id, r.decided_at, r.patient_id,
    e.first_name, e.last_name,
    p.patient_id is null as is_deleted, r.project_id, pr.name as project_name, r.consent_type, r.consent_status,
    ${REPLACES_CONSENT} as replaces_consent,
    case when c.consent_record_id is distinct from r.consent_record_id then 'replaced'
      when r.consent_status = 'OPTED_OUT' then 'opted_out'
      when r.expires_at > ${latestNow(now)} then 'in_force' else 'expired' end as state,
    r.expires_at, r.consent_data_resource_scopes as resource_scopes,
    r.consent_data_sensitivity_scopes as sensitivity_scopes, r.parts::text as parts, r.client_id, r.client_name, r.language, r.consent_ui_flow,
    r.ui_hash, r.study_snapshot_id, v.version,
    (select count(*) from consent_screenshot s
      where s.patient_id = r.patient_id and s.consent_record_id = r.consent_record_id) as screenshots
  from (
    select r.patient_id, r.consent_record_id from consent_record r
    where r.organization_id = ${reach.organizationId} and ${isWithinProjects(reach, raw('r.project_id'))}
      and ${after === null ? always : sql`(r.decided_at, r.consent_record_id) < (${after.decided_at}, ${after.consent_record_id})`}
      and ${matches(filter, now)}
    order by r.decided_at desc, r.consent_record_id desc limit ${limit}) page
  join consent_record r on r.patient_id = page.patient_id and r.consent_record_id = page.consent_record_id
  join project pr on pr.project_id = r.project_id
  left join project_version v on v.project_id = r.project_id and v.study_snapshot_id::text = r.study_snapshot_id
  left join consent c
    on c.patient_id = r.patient_id and c.project_id = r.project_id and c.consent_type = r.consent_type
  left join patient p on p.patient_id = r.patient_id
  left join enrollment e on e.patient_id = r.patient_id and e.project_id = r.project_id
  order by r.decided_at desc, r.consent_record_id desc`;

/** Selects where in the list a record stands; no row where the caller's reach has no such record. */
export const selectConsentPosition = (patientId: PatientId, id: ConsentRecordId, reach: OrganizationReach) =>
  sql<ConsentPosition>`
  select r.decided_at, r.consent_record_id from consent_record r
  where r.patient_id = ${patientId} and r.consent_record_id = ${id} and r.organization_id = ${reach.organizationId}
    and ${isWithinProjects(reach, raw('r.project_id'))}`;
