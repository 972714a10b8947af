import { parseCodings } from './codeable-concept.ts';
import { readText, toElements, type Element } from './element.ts';

/** Codes of HL7's diagnosis roles: what a visit found in the end comes before what it began with; other illnesses and bills come last. */
const USES: readonly (readonly string[])[] = [['DD'], ['CC'], ['AD'], [], ['CM'], ['billing']];
const NO_USE = USES.findIndex((codes) => codes.length === 0);

/**
 * Sorts the diagnoses of a visit: comorbidities and those for billing last, then by rank, then by use, else as recorded.
 */
export function sortDiagnoses(value: unknown): Element[] {
  const all = toElements(value).map((diagnosis) => ({
    diagnosis,
    use: findUse(diagnosis['use']),
    rank: readRank(diagnosis['rank']),
  }));
  const isMinor = ({ use }: { use: number }): number => (use > NO_USE ? use : 0);
  return all
    .sort((one, other) => isMinor(one) - isMinor(other) || one.rank - other.rank || one.use - other.use)
    .map(({ diagnosis }) => diagnosis);
}

const NO_RANK = 1e9;

function readRank(value: unknown): number {
  const rank = Number(readText(value) ?? NO_RANK);
  return Number.isFinite(rank) ? rank : NO_RANK;
}

function findUse(value: unknown): number {
  const codes = parseCodings(value).flatMap(({ code }) => code ?? []);
  const use = USES.findIndex((each) => each.some((code) => codes.includes(code)));
  return use === -1 ? NO_USE : use;
}
