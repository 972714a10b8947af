import type { PatientId } from '../../../contract/brands.ts';
import { one, type Queryable } from '../../platform/db/db.ts';
import { paginate } from '../../platform/kernel/paginate.ts';
import {
  deleteLinks,
  findChangedMasks,
  updateLinks,
  updateSupersededBy,
  type LinkUpdate,
} from '../entries/entries.sql.ts';
import type { NameComparer } from '../concepts/compare-names.ts';
import { findDuplicateNotes, selectDuplicateNotes } from './duplicate-notes.sql.ts';
import { matchEntries } from './matches.ts';
import * as statements from './link-entries.sql.ts';

const PAGE = 1_000;

/**
 * Links the entries that state one fact: notes in two resources of one source, and facts of several sources. In a record of
 * one source, as most are, only the notes are compared.
 */
export async function linkEntries(
  on: Queryable,
  patientId: PatientId,
  comparer: NameComparer,
): Promise<void> {
  const { has_several: hasSeveral } = await one(on, statements.hasSeveralSources(patientId));
  if (!hasSeveral) {
    await on.query(deleteLinks(patientId));
    const changed = await on.query(findChangedMasks(patientId, selectDuplicateNotes(patientId)));
    for (const page of paginate(changed, PAGE)) await on.query(updateSupersededBy(patientId, page));
    return;
  }
  const wanted = await computeMatches(on, patientId, comparer);
  for (const page of paginate(wanted, PAGE)) await on.query(updateLinks(patientId, page));
}

/** Computes the links of each entry; entries that have links stored and should have none are included. */
async function computeMatches(
  on: Queryable,
  patientId: PatientId,
  comparer: NameComparer,
): Promise<LinkUpdate[]> {
  const wanted = new Map<string, LinkUpdate>();
  const getOrAdd = ({ seq, ordinal }: { seq: number; ordinal: number }): LinkUpdate => {
    const key = `${seq}/${ordinal}`;
    const known = wanted.get(key) ?? { seq, ordinal, matches: 'null', supersededBy: [] };
    wanted.set(key, known);
    return known;
  };
  for (const row of await on.query(statements.findMatchedEntries(patientId))) getOrAdd(row);
  for (const row of await on.query(findDuplicateNotes(patientId)))
    getOrAdd(row).supersededBy = row.superseded_by;
  for (const { kind } of await on.query(statements.findKindsOfSeveralSources(patientId))) {
    // A kind at a time, so that no more than that is held in memory.
    const rows = await on.query(statements.findComparedEntries(patientId, kind));
    for (const match of await matchEntries(rows.map(statements.toComparedRow), comparer)) {
      const links = getOrAdd(match);
      links.matches = JSON.stringify(match.matches);
      links.supersededBy = [...new Set([...links.supersededBy, ...match.supersededBy])].sort((a, b) => a - b);
    }
  }
  return [...wanted.values()];
}
