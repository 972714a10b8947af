import { splitStrength } from '../entries/drug-strength.ts';
import { normalizeDosage } from '../linkage/describe-dosage.ts';
import type { DrugStatement } from './drug-ends.sql.ts';

/** What ends a drug that is in force by another record of it. */
export interface DrugEnd {
  ending: DrugStatement;
  /**
   * `later` than all that is in force: the drug is not simply current. `unclear` where the dates leave it open, or where the
   * ending may be of another dosage: nothing is claimed then.
   */
  order: 'later' | 'unclear';
  isOtherDosage: boolean;
}

/** Finds the end of each drug that has one; an order in force that is later than it is a renewal, and it none. */
export function findDrugEnds(statements: readonly DrugStatement[]): Map<string, DrugEnd> {
  const ends = [...Map.groupBy(statements, ({ groupKey }) => groupKey)].flatMap(([groupKey, drug]) => {
    const inForce = drug.filter((each) => each.inForce);
    const found = drug.flatMap((each) => (each.inForce ? [] : (toEnd(each, inForce) ?? [])));
    const end = found.find(({ order }) => order === 'later') ?? found[0];
    return end === undefined ? [] : [[groupKey, end] as const];
  });
  return new Map(ends);
}

/** Lists the keys of the drugs that are active in the record, and which a later record ends. */
export const listEndedDrugs = (statements: readonly DrugStatement[]): string[] =>
  [...findDrugEnds(statements)].flatMap(([groupKey, { order }]) => (order === 'later' ? groupKey : []));

function toEnd(ending: DrugStatement, inForce: readonly DrugStatement[]): DrugEnd | null {
  const orders = inForce.map((active) => compare(ending, active));
  if (orders.includes('earlier')) return null;
  const isLater = orders.every((order) => order === 'later');
  // A course that was completed is the one before, unless it is known to be later.
  if (!isLater && isCompleted(ending)) return null;
  const isOtherDosage = inForce.every(({ dosage }) => isOther(ending.dosage, dosage));
  return { ending, order: isLater && !isOtherDosage ? 'later' : 'unclear', isOtherDosage };
}

const isCompleted = ({ status }: DrugStatement): boolean => status === 'completed' || status === 'ended';

/** Two dosages, but for their dates, or two strengths; where one is not recorded nobody knows. */
function isOther(one: string | null, other: string | null): boolean {
  const [its, theirs] = [splitStrength(one), splitStrength(other)];
  return isUnlike(its.words, theirs.words) || isUnlike(its.strength, theirs.strength);
}

const isUnlike = (one: string | null, other: string | null): boolean =>
  one !== null && other !== null && normalizeDosage(one) !== normalizeDosage(other);

/**
 * Compares the days on which both were begun. An earlier one may have ended later: a course that went on until its renewal
 * is over, of one that was stopped then nobody knows whether the renewal was meant too.
 */
function compare(ending: DrugStatement, active: DrugStatement): 'earlier' | 'later' | 'unclear' {
  const order = compareDays(ending.dayText, active.dayText);
  if (order !== 'earlier' || ending.endText === null) return order;
  return compareDays(ending.endText, active.dayText) === 'earlier' ? 'earlier' : 'unclear';
}

/** In the precision of the less exact one: within one year, month or day the order is not known. */
function compareDays(one: string | null, other: string | null): 'earlier' | 'later' | 'unclear' {
  if (one === null || other === null) return 'unclear';
  const length = Math.min(one.length, other.length);
  const [shortOne, shortOther] = [one.slice(0, length), other.slice(0, length)];
  return shortOne === shortOther ? 'unclear' : shortOne < shortOther ? 'earlier' : 'later';
}
