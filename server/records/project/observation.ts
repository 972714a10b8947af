import type { Entry, ObservationDetail } from '../entry.ts';
import { codeKey, conceptText, displayText, LOINC } from './codeable-concept.ts';
import { at, elements } from './element.ts';
import { entryBase } from './entry-base.ts';
import { measureText, observationDetail } from './measure.ts';
import { observationKind } from './observation-kind.ts';
import { endOf } from './period.ts';
import type { Projector } from './source.ts';
import { pressureRank, vitalOf } from './vital-signs.ts';
import { firstDate } from './written-date.ts';

export const observation: Projector = (source) => {
  const { resource } = source;
  const detail = observationDetail(resource);
  // A panel is told by its members; without a value of its own a row would say nothing.
  if (detail.value === null && detail.components.length === 0 && elements(resource['hasMember']).length > 0)
    return [];
  const kind = observationKind(resource);
  const vital = vitalOf(resource);
  const base = entryBase(source, {
    // Of a vital sign that is none of the eight the code's name counts: senders call a weight-for-length "BMI".
    title: kind === 'vital' && vital === null ? displayText(resource['code']) : conceptText(resource['code']),
    code: codeKey(resource['code'], [LOINC]),
    when: firstDate(
      resource['effectiveDateTime'],
      at(resource, 'effectivePeriod', 'start'),
      resource['effectiveInstant'],
      at(resource, 'effectiveTiming', 'event'),
      resource['issued'],
    ),
    end: endOf(at(resource, 'effectivePeriod', 'end')),
  });
  if (kind === 'other') {
    return [{ ...base, kind, detail: { type: 'Observation', text: measureText(detail) } }];
  }
  if (kind === 'vital')
    return [{ ...base, kind, detail: { ...systolicFirst(resource['component'], detail), vital } }];
  return [{ ...base, kind, detail } satisfies Entry];
};

/** Components in reading order, whatever order they were written in. */
function systolicFirst(written: unknown, detail: ObservationDetail): ObservationDetail {
  const ranks = elements(written).map(({ code }) => pressureRank(code));
  const ranked = detail.components.map((part, index) => ({ part, rank: ranks[index] ?? 2 }));
  return { ...detail, components: ranked.sort((a, b) => a.rank - b.rank).map(({ part }) => part) };
}
