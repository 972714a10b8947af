import { ENCOUNTER_CLASSES } from '../../../documents/fhir/encounter-classes.ts';
import { parseCodings, toCodeKey, formatConcept, formatConcepts, SNOMED } from './codeable-concept.ts';
import { getPath, toElements, joinPresent } from './element.ts';
import { buildEntryBase } from './entry-base.ts';
import { formatDisplays, resolveDisplays } from './reference.ts';
import type { EntryBuilder } from './entry-builder.ts';
import { findEndDate, findFirstDate } from './partial-date.ts';

export const buildEncounter: EntryBuilder = (input) => {
  const { resource } = input;
  const classText = formatClass(resource['class']);
  const type = joinPresent(formatConcepts(resource['type']), ', ');
  const base = buildEntryBase(input, {
    title: type ?? formatConcept(resource['serviceType']) ?? (classText && `Visit (${classText})`),
    code: toCodeKey(resource['type'], [SNOMED]),
    when: findFirstDate(getPath(resource, 'period', 'start'), getPath(resource, 'period', 'end')),
    end: findEndDate(resource['period']),
    visit: null,
  });
  const reasons = [
    ...formatConcepts(resource['reasonCode']),
    ...resolveDisplays(resource['reasonReference'], input),
  ];
  const diagnoses = toElements(resource['diagnosis']).flatMap((each) =>
    resolveDisplays(each['condition'], input),
  );
  const locations = toElements(resource['location']).flatMap((each) =>
    resolveDisplays(each['location'], input),
  );
  const detail = {
    class: classText,
    type: type ?? formatConcept(resource['serviceType']),
    reason: joinPresent(reasons.length > 0 ? reasons : diagnoses, '; '),
    location: joinPresent(locations, ', '),
    practitioner: formatDisplays(resource['participant'], input),
  };
  return [{ ...base, kind: 'visit', detail }];
};

function formatClass(value: unknown): string | null {
  const [coding] = parseCodings(value);
  const known = ENCOUNTER_CLASSES.get(coding?.code?.toUpperCase() ?? '');
  return known ?? formatConcept(value);
}
