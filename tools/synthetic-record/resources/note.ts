import { loinc, createConcept, createHl7Concept } from '../codes.ts';
import { formatDay } from '../calendar.ts';
import { getPatientReference, type Chart } from '../chart.ts';
import type { GeneratedResource } from '../resource.ts';
import { toReference } from '../resource-id.ts';
import { writeSoapNote } from '../soap-note.ts';
import { formatVisitTime, type Visit } from '../visit.ts';
import { toPeriod, formatVisitTitle } from './encounter.ts';
import { getOrganizationReference, getPractitionerReference } from './people.ts';

const progressNote = loinc('11506-3', 'Progress note');
const historyAndPhysical = loinc('34117-2', 'History and physical note');

/** Must come last at a visit: it reports what the other resources of the visit say. */
export function* generateNote(chart: Chart, visit: Visit): Iterable<GeneratedResource> {
  const { profile } = chart;
  const isEmergency = visit.episode?.setting === 'emergency';
  const title = `${formatVisitTitle(visit)}, ${formatDay(visit.day)}`;
  yield {
    resourceType: 'DocumentReference',
    id: profile.toId(`DocumentReference/${visit.index}`),
    status: 'current',
    docStatus: 'final',
    type: createConcept(visit.kind === 'wellness' ? historyAndPhysical : progressNote),
    category: [
      {
        coding: [
          {
            system: 'http://hl7.org/fhir/us/core/CodeSystem/us-core-documentreference-category',
            code: 'clinical-note',
            display: 'Clinical Note',
          },
        ],
      },
    ],
    subject: getPatientReference(chart),
    date: formatVisitTime(visit, visit.to - visit.from + 10),
    author: [getPractitionerReference(profile, isEmergency ? 'emergency' : 'physician')],
    custodian: getOrganizationReference(profile, isEmergency ? 'hospital' : 'clinic'),
    securityLabel: [createHl7Concept('v3-Confidentiality', 'N', 'normal')],
    content: [
      {
        attachment: {
          contentType: 'text/plain; charset=utf-8',
          title,
          data: Buffer.from(writeSoapNote(profile, visit, title), 'utf8').toString('base64'),
        },
      },
    ],
    context: { encounter: [toReference(visit.id)], period: toPeriod(visit) },
  };
}
