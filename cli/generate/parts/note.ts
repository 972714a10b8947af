import { loinc, concept, terminology } from '../codes.ts';
import { dayText } from '../calendar.ts';
import { patientOf, type Chart } from '../chart.ts';
import type { GeneratedResource } from '../resource.ts';
import { referenceTo } from '../resource-id.ts';
import { soapNote } from '../soap-note.ts';
import { timeAt, type Visit } from '../visit.ts';
import { periodOf, visitTitle } from './encounter.ts';
import { organizationOf, practitionerOf } from './people.ts';

const progressNote = loinc('11506-3', 'Progress note');
const historyAndPhysical = loinc('34117-2', 'History and physical note');

/** Must come last at a visit: it tells what the other parts have done. */
export function* noteAt(chart: Chart, visit: Visit): Iterable<GeneratedResource> {
  const { life } = chart;
  const isEmergency = visit.episode?.setting === 'emergency';
  const title = `${visitTitle(visit)}, ${dayText(visit.day)}`;
  yield {
    resourceType: 'DocumentReference',
    id: life.id(`DocumentReference/${visit.index}`),
    status: 'current',
    docStatus: 'final',
    type: concept(visit.kind === 'wellness' ? historyAndPhysical : progressNote),
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
    subject: patientOf(chart),
    date: timeAt(visit, visit.to - visit.from + 10),
    author: [practitionerOf(life, isEmergency ? 'emergency' : 'physician')],
    custodian: organizationOf(life, isEmergency ? 'hospital' : 'clinic'),
    securityLabel: [terminology('v3-Confidentiality', 'N', 'normal')],
    content: [
      {
        attachment: {
          contentType: 'text/plain; charset=utf-8',
          title,
          data: Buffer.from(soapNote(life, visit, title), 'utf8').toString('base64'),
        },
      },
    ],
    context: { encounter: [referenceTo(visit.id)], period: periodOf(visit) },
  };
}
