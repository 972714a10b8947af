import { deriveUuid } from '../../../../documents/fhir/derive-uuid.ts';
import { isNameless } from '../../store/identity.ts';
import type { Verdict } from './likeness.ts';

interface Tally {
  same: number;
  other: number;
}

/** Says whether ids are of another system: some of their resources are others, and no more of them are the same. */
export const isOtherSystem = ({ same, other }: Tally): boolean => other > 0 && other >= same;

/** Adds what two resources of one type and id say of it. */
export function addVerdict(tally: Tally, verdict: Verdict): void {
  if (verdict !== 'unclear') tally[verdict]++;
}

export interface OriginEvidence {
  /** Notes that a resource of the upload has the id of one that the record holds. */
  add(label: string, origin: string, verdict: Verdict): void;
  /** Notes an identifier of a Patient of the upload. */
  addPatient(label: string, identifier: string): void;
  isEmpty(): boolean;
  /** Decides of each part of the upload where its ids are from. */
  decide(batchId: string, storedPatients: readonly { origin: string; identifier: string }[]): OriginDecision;
}

export interface OriginDecision {
  /** Returns the origin of resources whose document does not name one; of others, their own. */
  getOrigin(label: string): string;
  /** Whether the ids of a named server may mean resources of a document that named none. */
  mayBe(label: string, origin: string): boolean;
}

/**
 * Collects what says whether the ids of an upload are of the same system as those of the record. Ids such as "1" say nothing by
 * themselves: a newer export of a system has them again, and so has the export of another. So the resources behind
 * them are compared (`compareLikeness`), and all ids of a document stand or fall together, since a system counts its own.
 *
 * A label is a part of the upload: a server that is named, '' for documents that name none, or a `urn:uuid:…` of those
 * that contradict others of the same upload.
 */
export function createOriginEvidence(): OriginEvidence {
  const tallies = new Map<string, Map<string, Tally>>();
  const patients = new Map<string, Set<string>>();
  return {
    add(label, origin, verdict) {
      const byOrigin = tallies.get(label) ?? new Map<string, Tally>();
      tallies.set(label, byOrigin);
      const tally = byOrigin.get(origin) ?? { same: 0, other: 0 };
      byOrigin.set(origin, tally);
      addVerdict(tally, verdict);
    },
    addPatient(label, identifier) {
      const known = patients.get(label) ?? new Set<string>();
      patients.set(label, known.add(identifier));
    },
    isEmpty: () => tallies.size === 0,
    decide(batchId, storedPatients) {
      const stored = Map.groupBy(storedPatients, ({ origin }) => origin);
      for (const [label, byOrigin] of tallies)
        for (const [origin, tally] of byOrigin)
          if (areOthers(patients.get(label), stored.get(origin))) tally.other++;
      return chooseOrigins(tallies, batchId);
    },
  };
}

/** Whoever has other numbers was numbered by another. */
const areOthers = (
  ours: ReadonlySet<string> | undefined,
  theirs: readonly { identifier: string }[] | undefined,
): boolean =>
  ours !== undefined && theirs !== undefined && !theirs.some(({ identifier }) => ours.has(identifier));

/** Of what no document named, where none of it has an id of the upload. */
const NOTHING_AGAINST: [string, Tally] = ['', { same: 0, other: 0 }];

/** The parts of which most is the same choose first, and each origin is chosen once: two parts that contradict are of two. */
function chooseOrigins(
  tallies: ReadonlyMap<string, ReadonlyMap<string, Tally>>,
  batchId: string,
): OriginDecision {
  const chosen = new Map<string, string>();
  const taken = new Set<string>();
  const options = [...tallies].flatMap(([label, byOrigin]) =>
    isNameless(label)
      ? [...(byOrigin.has('') ? [] : [NOTHING_AGAINST]), ...byOrigin].flatMap(([origin, tally]) =>
          isOtherSystem(tally) ? [] : [{ label, origin, ...tally }],
        )
      : [],
  );
  // Of those that say as much, what no document named is more likely than a server.
  options.sort((a, b) => b.same - a.same || a.origin.length - b.origin.length);
  for (const { label, origin } of options) {
    if (chosen.has(label) || taken.has(origin)) continue;
    chosen.set(label, origin);
    taken.add(origin);
  }
  for (const label of tallies.keys())
    if (isNameless(label) && !chosen.has(label))
      chosen.set(label, `urn:uuid:${deriveUuid(`${batchId}|${label}`)}`);
  return {
    getOrigin: (label) => chosen.get(label) ?? label,
    mayBe(label, origin) {
      const tally = tallies.get(label)?.get(origin);
      return tally !== undefined && !isOtherSystem(tally);
    },
  };
}
