import type { Entry } from './entry.ts';
import type { ObservationDetail } from './observation-detail.ts';
import { toCodeKey, formatConcept, getDisplay, LOINC } from './codeable-concept.ts';
import { getPath, joinPresent, presentFields, readText, toElements, type Element } from './element.ts';
import { buildEntryBase } from './entry-base.ts';
import { formatTitle } from './group-key.ts';
import { formatMeasure, buildObservationDetail } from './measure.ts';
import { classifyObservation } from './observation-kind.ts';
import { getRecordKind } from './record-kind.ts';
import type { EntryBuilder, EntryInput } from './entry-builder.ts';
import { formatDisplays } from './reference.ts';
import { findContained, toReferences } from './reference-text.ts';
import { rankPressure, identifyVital } from './vital-signs.ts';
import { findEndDate, findFirstDate } from './partial-date.ts';

export const buildObservation: EntryBuilder = (input) => {
  const { resource } = input;
  const detail = { ...buildObservationDetail(resource), ...readMeasurement(input) };
  const kind = classifyObservation(resource);
  const vital = identifyVital(resource);
  const base = buildEntryBase(input, {
    // A vital sign that is none of the eight has the name of its code: senders call a weight-for-length "BMI".
    title: kind === 'vital' && vital === null ? getDisplay(resource['code']) : formatTitle(resource['code']),
    code: toCodeKey(resource['code'], [LOINC]),
    when: findFirstDate(
      resource['effectiveDateTime'],
      getPath(resource, 'effectivePeriod', 'start'),
      resource['effectiveInstant'],
      getPath(resource, 'effectiveTiming', 'event'),
      resource['issued'],
    ),
    end: findEndDate(getPath(resource, 'effectivePeriod', 'end')),
  });
  if (kind === 'other') {
    return [
      {
        ...base,
        kind: getRecordKind(resource),
        detail: { type: 'Observation', text: formatMeasure(detail) },
      },
    ];
  }
  if (kind === 'vital')
    return [{ ...base, kind, detail: { ...sortSystolicFirst(resource['component'], detail), vital } }];
  return [{ ...base, kind, detail } satisfies Entry];
};

/** Reads who measured what it was taken from, and with which device, as far as the resource itself says. */
export function readMeasurement(input: EntryInput) {
  const { resource } = input;
  return presentFields({
    specimen: joinPresent(
      toReferences(resource['specimen']).map((each) => describeSpecimen(each, input)),
      ', ',
    ),
    performer: formatDisplays(resource['performer'], input),
    device: formatDisplays(resource['device'], input),
  });
}

function describeSpecimen(reference: Element, { resource }: EntryInput): string | null {
  const inside = findContained(reference, resource);
  return readText(reference['display']) ?? (inside && formatConcept(inside['type']));
}

/** Puts systolic before diastolic, whatever order they were written in. */
function sortSystolicFirst(written: unknown, detail: ObservationDetail): ObservationDetail {
  const ranks = toElements(written).map(({ code }) => rankPressure(code));
  const ranked = detail.components.map((part, index) => ({ part, rank: ranks[index] ?? 2 }));
  return { ...detail, components: ranked.sort((a, b) => a.rank - b.rank).map(({ part }) => part) };
}
