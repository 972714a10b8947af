import type { DataMask, PatientId } from '../../../../contract/brands.ts';
import {
  excludeMask,
  FETCHED_RESTRICTED,
  intersectMasks,
  NO_LABELS,
} from '../../../consent/access/sensitivity-labels.ts';
import type { Queryable } from '../../../platform/db/db.ts';
import { PLACE_TYPES, readPlace, type Place } from '../../labels/places.ts';
import type { ClassifyWords } from '../../labels/word-classifier.ts';
import { findPlaces } from '../../store/bodies-by-id.sql.ts';
import { parseResource } from '../../store/parse-resource.ts';
import { CLASSES_MASK } from './inherited-masks.ts';
import { parseReferences } from './parse-references.ts';

/** Places that were read, by `Type/id`; null of those that the record does not hold. */
export type KnownPlaces = Map<string, Place | null>;

/** A rebuild of a larger record reads some again, rather than keep them all. */
const MAX_KNOWN_PLACES = 100_000;

export interface PlaceReading {
  known: KnownPlaces;
  classifyWords: ClassifyWords;
}

/** Reads the places among these references that no page before has named, and what they are part of: one look-up for each of both. */
export async function loadPlaces(
  on: Queryable,
  patientId: PatientId,
  { references, known, classifyWords }: PlaceReading & { references: readonly string[] },
): Promise<void> {
  if (known.size > MAX_KNOWN_PLACES) known.clear();
  const read = async (wanted: readonly string[]): Promise<void> => {
    const missing = parseReferences(wanted.filter((reference) => !known.has(reference))).filter(({ type }) =>
      PLACE_TYPES.has(type),
    );
    if (missing.length === 0) return;
    for (const { type, id } of missing) known.set(`${type}/${id}`, null);
    for (const { reference, body } of await on.query(findPlaces(patientId, missing)))
      known.set(reference, readPlace(parseResource(body), classifyWords));
  };
  await read(references);
  await read(references.flatMap((reference) => known.get(reference)?.wholes ?? []));
}

/** What a fact inherits from a place: of the labels that the place requires, not those of what it only mentions. */
export function limitToPlace(labels: DataMask, place: Place | null | undefined): DataMask {
  if (!place || place.besides === NO_LABELS) return labels;
  const left = excludeMask(labels, place.besides);
  const hasClasses = intersectMasks(left, CLASSES_MASK) !== NO_LABELS;
  return hasClasses ? left : excludeMask(left, FETCHED_RESTRICTED);
}
