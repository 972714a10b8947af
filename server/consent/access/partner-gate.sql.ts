import type { Caller, OrganizationReach } from '../../../contract/audience.ts';
import type { ResourceScope } from '../../../contract/data-categories.ts';
import { isApiKeyCurrent } from '../../identity/organizations/api-keys.sql.ts';
import { isWithinProjects } from '../../identity/organizations/reach.sql.ts';
import { isPasswordCurrent } from '../../identity/patients/patients.sql.ts';
import { toLabelMask } from './sensitivity-labels.ts';
import { raw, sql, type Sql } from '../../platform/db/sql.ts';
import type { PartnerAccess } from './partner-access.ts';
import { permitsReading } from './permits-reading.sql.ts';
import { currentMasks, OWN_WITHHELD, resolveWithheld } from './withheld.sql.ts';

/**
 * Builds `gate (withheld, consent_record_id, project_id, decided_at)`, the consents under which the record is read at this
 * moment, for a `with` in front of a statement, each of its parts a row; without a row nothing may be read. Patients read all of their own record,
 * but for what is restricted of a test patient's fetched records.
 */
export const buildPartnerGate = ({ patientId, reach, caller }: PartnerAccess, now: Date): Sql =>
  reach === null
    ? sql`gate as materialized (
        select ${OWN_WITHHELD} as withheld, null::uuid as consent_record_id, null::uuid as project_id,
          p.created_at as decided_at
        from patient p where p.patient_id = ${patientId} and ${isCredentialCurrent(caller, now)})`
    : sql`gate as materialized (
        select ${resolveWithheld(raw('m.withheld'), sql`${patientId}::uuid`)} as withheld, c.consent_record_id, c.project_id, c.decided_at
        from enrollment e
        join consent c on c.patient_id = ${patientId} and c.project_id = e.project_id
        cross join ${currentMasks(now)} m
        where e.patient_id = ${patientId} and e.organization_id = ${reach.organizationId} and ${permitsReading(now)}
          and ${isWithinProjects(reach, raw('e.project_id'))} and ${isCredentialCurrent(caller, now)})`;

/** A condition: the password or the key of the token is in force, so that a long answer ends when it is taken back. */
function isCredentialCurrent(caller: Caller, now: Date): Sql {
  // No session reads a record.
  if (caller.kind === 'member') return raw('false');
  if (caller.kind !== 'patient') return isApiKeyCurrent(caller, now);
  const { patientId, credentialId } = caller;
  return credentialId === null ? raw('true') : isPasswordCurrent(patientId, credentialId);
}

/** A condition: some row of the gate leaves out none of these labels. Two that each leave out some of them do not add up. */
export const gateCoversLabels = (requiredLabels: Sql): Sql => sql`
  exists (select from gate g where least(${requiredLabels} & g.withheld, 1) <> 1)`;

/** A condition: some consent of the gate leaves out nothing, so that no label need be compared. */
export const gateIsFull: Sql = raw('(select bool_or(withheld = 0) from gate)');

/** A condition: some consent of the gate covers all of these categories. */
export const gateCovers = (...categories: ResourceScope[]): Sql => sql`
  exists (select from gate where withheld & ${toLabelMask(categories)}::integer = 0)`;

interface SharingConsents {
  reach: OrganizationReach;
  patientId: Sql;
  now: Date;
}

/** The masks `m` of the consents of the patient `patientId` (SQL) that permit the organization to read now: what follows `from`. */
const fromSharing = ({ reach, patientId, now }: SharingConsents): Sql => sql`
  enrollment e join consent c on c.patient_id = ${patientId} and c.project_id = e.project_id cross join ${currentMasks(now)} m
  where e.patient_id = ${patientId} and e.organization_id = ${reach.organizationId} and ${permitsReading(now)}
    and ${isWithinProjects(reach, raw('e.project_id'))}`;

/** A condition: for the mask of what one of these consents, or a part of one, leaves out, `covers` holds. */
export const isSharedWith = (sharing: SharingConsents, covers: (withheld: Sql) => Sql): Sql => sql`
  exists (select from ${fromSharing(sharing)} and ${covers(resolveWithheld(raw('m.withheld'), sharing.patientId))})`;

/** An expression: the masks of what each of these consents, or part of one, leaves out. */
export const selectSharingMasks = (sharing: SharingConsents): Sql => sql`
  (select array_agg(${resolveWithheld(raw('m.withheld'), sharing.patientId)}) from ${fromSharing(sharing)})`;
