import type { Entry } from './entry.ts';
import type { ObservationDetail } from './observation-detail.ts';
import { toCodeKey, formatConcept, getDisplay, LOINC } from './codeable-concept.ts';
import { getPath, joinPresent, presentFields, toElements, type Element } from './element.ts';
import { buildEntryBase, formatItself } from './entry-base.ts';
import { buildGroupKey, formatTitle, isCodeItself } from './group-key.ts';
import { formatMeasure, buildObservationDetail } from './measure.ts';
import { getObservationKind } from './observation-kind.ts';
import { getRecordKind } from './record-kind.ts';
import type { EntryBuilder, EntryInput } from './entry-builder.ts';
import { isInError } from './objection.ts';
import { formatDisplays, readWrittenDisplay } from './reference.ts';
import { findContained, toReferences } from './reference-text.ts';
import { rankPressure, identifyVital } from './vital-signs.ts';
import { findEndDate, findFirstDate } from './partial-date.ts';

export const buildObservation: EntryBuilder = (input) => {
  const { resource } = input;
  const detail = { ...buildObservationDetail(resource), ...readMeasurement(input) };
  const kind = getObservationKind(resource);
  const vital = identifyVital(resource);
  // A vital sign that is none of the eight has the name of its code: senders call a weight-for-length "BMI".
  const name =
    kind === 'vital' && vital === null ? getDisplay(resource['code']) : formatTitle(resource['code']);
  const code = toCodeKey(resource['code'], [LOINC]);
  const noted = nameByNote({ name, code, note: detail.note });
  const base = buildEntryBase(input, {
    title: noted ?? name,
    code,
    ...(noted !== null && {
      groupKey: buildGroupKey({
        code,
        title: name ?? '',
        concept: resource['code'],
        itself: formatItself(input),
      }),
    }),
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

/** Longer ones are remarks, not names. */
const MAX_NOTED_LENGTH = 80;

/** "Serum rhubarb (LOINC 99999-9)": the note beside a code that neither the record nor we have a name for; else null. */
function nameByNote({ name, code, note }: Record<'name' | 'code' | 'note', string | null>): string | null {
  const isNameless = name === null || isCodeItself(name, code);
  if (!isNameless || note === null || note.length > MAX_NOTED_LENGTH || note.includes('\n')) return null;
  return name === null ? note : `${note} (${name})`;
}

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

function describeSpecimen(reference: Element, input: EntryInput): string | null {
  const inside = findContained(reference, input.resource);
  if (inside !== null && isInError(inside)) return null;
  return readWrittenDisplay(reference, input) ?? (inside && formatConcept(inside['type']));
}

/** Puts systolic before diastolic, whatever order they were written in. */
function sortSystolicFirst(written: unknown, detail: ObservationDetail): ObservationDetail {
  const ranks = toElements(written).map(({ code }) => rankPressure(code));
  const ranked = detail.components.map((part, index) => ({ part, rank: ranks[index] ?? 2 }));
  return { ...detail, components: ranked.sort((a, b) => a.rank - b.rank).map(({ part }) => part) };
}
