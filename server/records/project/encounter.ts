import { codings, codeKey, conceptText, conceptTexts, SNOMED } from './codeable-concept.ts';
import { at, elements, joined } from './element.ts';
import { entryBase } from './entry-base.ts';
import { endOf } from './period.ts';
import { labelList, labelsOf } from './reference.ts';
import type { Projector } from './source.ts';
import { firstDate } from './written-date.ts';

/** HL7 v3 ActEncounterCode, to which `Encounter.class` is bound, as its displays say it. */
export const ENCOUNTER_CLASSES = new Map([
  ['AMB', 'ambulatory'],
  ['EMER', 'emergency'],
  ['FLD', 'field'],
  ['HH', 'home health'],
  ['IMP', 'inpatient encounter'],
  ['ACUTE', 'inpatient acute'],
  ['NONAC', 'inpatient non-acute'],
  ['OBSENC', 'observation encounter'],
  ['PRENC', 'pre-admission'],
  ['SS', 'short stay'],
  ['VR', 'virtual'],
]);

export const encounter: Projector = (source) => {
  const { resource } = source;
  const inWords = classInWords(resource['class']);
  const type = joined(conceptTexts(resource['type']), ', ');
  const base = entryBase(source, {
    title: type ?? conceptText(resource['serviceType']) ?? (inWords && `Visit (${inWords})`),
    code: codeKey(resource['type'], [SNOMED]),
    when: firstDate(at(resource, 'period', 'start'), at(resource, 'period', 'end')),
    end: endOf(resource['period']),
    visit: null,
  });
  const reasons = [...conceptTexts(resource['reasonCode']), ...labelsOf(resource['reasonReference'], source)];
  const diagnoses = elements(resource['diagnosis']).flatMap((each) => labelsOf(each['condition'], source));
  const places = elements(resource['location']).flatMap((each) => labelsOf(each['location'], source));
  const detail = {
    class: inWords,
    type: type ?? conceptText(resource['serviceType']),
    reason: joined(reasons.length > 0 ? reasons : diagnoses, '; '),
    location: joined(places, ', '),
    practitioner: labelList(resource['participant'], source),
  };
  return [{ ...base, kind: 'visit', detail }];
};

function classInWords(value: unknown): string | null {
  const [coding] = codings(value);
  const known = ENCOUNTER_CLASSES.get(coding?.code?.toUpperCase() ?? '');
  return known ?? conceptText(value);
}
