import type { PatientId } from '../../../contract/brands.ts';
import { raw, sql, type Sql } from '../../platform/db/sql.ts';
import { latestNow } from '../../platform/db/store-clock.ts';
import { FETCHED_RESTRICTED, NO_LABELS } from './sensitivity-labels.ts';

const hasFetchedRecords = (patientId: Sql): Sql => sql`
  exists (select from patient f where f.patient_id = ${patientId} and f.has_fetched_records)`;

/** The consent `c` has parts. A node of the version before leaves those of an earlier decision as they are. */
const HAS_PARTS = raw('c.part_record_id is not distinct from c.consent_record_id');

/** The parts `part (withheld, ends)` of the consent `c` that go on: what follows `from`. */
const fromCurrentParts = (now: Date): Sql => sql`
  unnest(c.part_withheld, c.part_ends) part(withheld, ends) where part.ends > ${latestNow(now)}`;

/**
 * A table for the `from` that the consent `c` is in: `withheld`, what each of its parts that go on leaves out; a consent without
 * parts has one row. They do not add up: of laboratory results with a protected class and diagnoses without it, no part covers the
 * diagnoses of that class.
 */
export const currentMasks = (now: Date): Sql => sql`lateral (
  select c.withheld where not ${HAS_PARTS}
  union all select part.withheld from ${fromCurrentParts(now)} and ${HAS_PARTS})`;

/**
 * What every part of the consent `c` that goes on leaves out, to count by category or class alone; null once all of them are over.
 * Nothing is read by it.
 */
export const withheldByAllParts = (now: Date): Sql => sql`(
  case when not ${HAS_PARTS} then c.withheld else (select bit_and(part.withheld) from ${fromCurrentParts(now)}) end)`;

/**
 * What a program that reads by one mask leaves out of the consent `c` now: of several parts it reads by the one that covers as much
 * as all of them together, as far as its grant goes, or else by the one that ends last; null once all of them are over, which leaves
 * out everything.
 */
const widestPart = (now: Date, grant: Sql): Sql => sql`(
  case when not ${HAS_PARTS} then c.withheld else (
    select part.withheld from ${fromCurrentParts(now)}
    order by part.withheld | ${grant} = bit_and(part.withheld) over () | ${grant} desc, part.ends desc limit 1) end)`;

/** Drops what concerns fetched records only while nothing was fetched, so that a consent to everything needs no comparison of labels. */
export const resolveWithheld = (withheld: Sql, patientId: Sql): Sql => sql`
  case when ${withheld} & ${FETCHED_RESTRICTED}::integer = 0 or ${hasFetchedRecords(patientId)} then ${withheld}
    else ${withheld} & ~${FETCHED_RESTRICTED}::integer end`;

/**
 * The mask of what a program leaves out that reads under the consent `c` of the patient `p`. A grant leaves out more: it may be
 * narrower than its consent, and is never wider.
 */
export const resolveProgramWithheld = (now: Date, grant: Sql = sql`${NO_LABELS}::integer`): Sql => sql`
  (${widestPart(now, grant)} | ${grant}) & case when p.has_fetched_records then -1 else ~${FETCHED_RESTRICTED}::integer end`;

/**
 * The mask for the own record of the patient `p`, by token, on the pages and in the download alike: whoever has the password of a test
 * patient is its organization.
 */
export const OWN_WITHHELD: Sql = sql`
  case when p.test_organization_id is not null and p.has_fetched_records then ${FETCHED_RESTRICTED}::integer
    else ${NO_LABELS}::integer end`;

/** Builds `own (withheld)`, that mask, for a `with` in front of a statement. */
export const buildOwnGate = (patientId: PatientId): Sql => sql`
  own as materialized (select ${OWN_WITHHELD} as withheld from patient p where p.patient_id = ${patientId})`;
