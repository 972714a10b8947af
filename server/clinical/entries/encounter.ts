import { ENCOUNTER_CLASSES } from '../../../documents/fhir/encounter-classes.ts';
import { deniesData } from './absence-grammar.ts';
import { parseCodings, toCodeKey, formatConcept, formatConcepts, SNOMED } from './codeable-concept.ts';
import { getPath, presentFields, toElement, toElements, joinPresent, type Element } from './element.ts';
import { sortDiagnoses } from './diagnoses.ts';
import { buildEntryBase } from './entry-base.ts';
import { formatDisplays, resolveDisplay, resolveDisplays } from './reference.ts';
import type { EntryBuilder, EntryInput } from './entry-builder.ts';
import { findEndDate, findFirstDate } from './partial-date.ts';
import { describeStatusReason } from './status-reason.ts';

export const buildEncounter: EntryBuilder = (input) => {
  const { resource } = input;
  const classText = formatClass(resource['class']);
  const type = joinPresent(formatConcepts(resource['type']), ', ');
  const name = type ?? formatConcept(resource['serviceType']);
  const base = buildEntryBase(input, {
    title: name ?? (classText && `Visit (${classText})`),
    isKindAlone: name === null && classText !== null,
    code: toCodeKey(resource['type'], [SNOMED]),
    when: findFirstDate(getPath(resource, 'period', 'start'), getPath(resource, 'period', 'end')),
    end: findEndDate(resource['period']),
    visit: null,
  });
  // "No encounter diagnosis data is applicable" is a statement, and no visit that took place.
  if (type !== null && deniesData(type))
    return [{ ...base, status: null, kind: 'other', detail: { type: 'Encounter', text: null } }];
  const stay = toElement(resource['hospitalization']);
  const reasons = [
    ...formatConcepts(resource['reasonCode']),
    ...resolveDisplays(resource['reasonReference'], input),
  ];
  const diagnoses = sortDiagnoses(resource['diagnosis']).flatMap((each) =>
    resolveDisplays(each['condition'], input),
  );
  const locations = toElements(resource['location']).flatMap((each) =>
    resolveDisplays(each['location'], input),
  );
  // Of a hospital that is a resource the row names it as the source; a name alone is the only place that is known.
  const provider = resolveDisplay(resource['serviceProvider'], input);
  const place = joinPresent(locations, ', ') ?? (provider === base.organization ? null : provider);
  const detail = {
    class: classText,
    type: name,
    reason: joinPresent(reasons.length > 0 ? reasons : diagnoses, '; '),
    location: place,
    practitioner: formatDisplays(resource['participant'], input),
    ...presentFields({
      serviceType: type === null ? null : formatConcept(resource['serviceType']),
      participants: joinPresent(
        toElements(resource['participant']).map((each) => formatParticipant(each, input)),
        '; ',
      ),
      disposition: formatConcept(stay?.['dischargeDisposition']),
      admitSource: formatConcept(stay?.['admitSource']),
      admission: formatAdmission(stay, input),
      priority: formatConcept(resource['priority']),
      diagnoses: reasons.length > 0 ? joinPresent(diagnoses, '; ') : null,
      note: describeStatusReason(input),
    }),
  };
  return [{ ...base, kind: 'visit', detail }];
};

/** "attender: Dr. A", where a role is recorded. */
function formatParticipant(participant: Element, input: EntryInput): string | null {
  const roles = joinPresent(formatConcepts(participant['type']), ', ');
  const who = formatDisplays(participant, input);
  return roles !== null && who !== null ? `${roles}: ${who}` : null;
}

/** Formats what else is said of a stay: where from and to, readmission, diet. */
function formatAdmission(stay: Element | null, input: EntryInput): string | null {
  if (stay === null) return null;
  const origin = formatDisplays(stay['origin'], input);
  const destination = formatDisplays(stay['destination'], input);
  const readmission = formatConcept(stay['reAdmission']);
  const diet = joinPresent(formatConcepts(stay['dietPreference']), ', ');
  return joinPresent(
    [
      origin && `from ${origin}`,
      destination && `to ${destination}`,
      readmission && `readmission: ${readmission}`,
      diet && `diet: ${diet}`,
    ],
    '; ',
  );
}

function formatClass(value: unknown): string | null {
  const known = parseCodings(value).flatMap(
    ({ code }) => ENCOUNTER_CLASSES.get(code?.toUpperCase() ?? '') ?? [],
  );
  return known[0] ?? formatConcept(value);
}
