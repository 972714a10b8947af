import type { Element } from 'slimdom';
import { concept } from '../concepts.ts';
import { attribute, child, children, first, textOf } from '../elements.ts';
import { encounterClass, isKnownClass } from '../encounter-class.ts';
import type { FhirObject, FhirValue, Reference } from '../fhir-values.ts';
import { identifiers, idKeys } from '../identifiers.ts';
import type { ResourceList } from '../resource-list.ts';
import type { Context } from '../section.ts';
import { period, timeOf } from '../times.ts';

/** The visit a document is about; the Encounters section may tell of the same one, and more. */
export interface Visit {
  reference: Reference & { reference: string };
  keys: readonly string[];
  /** What an entry of the Encounters section with the same identifier says. */
  told: { content: FhirObject; position: string } | undefined;
}

const PATH = 'componentOf/encompassingEncounter';
const POSITION = 'componentOf.encompassingEncounter';

export function visitOf(root: Element, resources: ResourceList): Visit | undefined {
  const element = first(root, PATH);
  if (element === undefined || !saysSomething(element)) return undefined;
  return { reference: resources.reserve('Encounter', POSITION), keys: idKeys(element), told: undefined };
}

/** Adds the visit, when the sections have been read. */
export function addVisit(root: Element, context: Context): void {
  const element = first(root, PATH);
  if (element === undefined || context.visit === undefined) return;
  const { reference, told } = context.visit;
  const content = contentOf(element, context);
  context.resources.put(
    reference,
    told?.position ?? POSITION,
    told ? merged(content, told.content) : content,
  );
}

/** What an entry tells goes before what the header tells; what it does not know replaces nothing. */
function merged(header: FhirObject, entry: FhirObject): FhirObject {
  const told = Object.entries(entry).filter(
    ([name, value]) => !isEmpty(value) && (name !== 'class' || isKnownClass(value)),
  );
  const period = { ...(header['period'] as FhirObject), ...(entry['period'] as FhirObject) };
  return { ...header, ...Object.fromEntries(told), period };
}

function contentOf(element: Element, { patient, people, narrative }: Context): FhirObject {
  const code = child(element, 'code');
  const type = concept(code, narrative);
  const time = child(element, 'effectiveTime');
  const discharge = concept(child(element, 'dischargeDispositionCode'), narrative);
  const facility = first(element, 'location/healthCareFacility');
  const place = child(facility, 'location') ?? facility;
  const location = people.place(place, textOf(child(place, 'name')));
  const participants = [
    ...children(element, 'responsibleParty'),
    ...children(element, 'encounterParticipant'),
  ];
  return {
    identifier: identifiers(element),
    status: isOver(time) ? 'finished' : 'unknown',
    class: encounterClass(code, type),
    type: type && [type],
    subject: patient,
    participant: participants.flatMap((one) =>
      participant(one, people.assigned(child(one, 'assignedEntity'))),
    ),
    period: period(time),
    hospitalization: discharge && { dischargeDisposition: discharge },
    location: location && [{ location }],
    serviceProvider: people.organization(child(facility, 'serviceProviderOrganization')),
  };
}

/** v3 ParticipationType of who takes part: the code FHIR's `participant.type` is bound to. */
function participant(element: Element, individual: Reference | undefined): FhirObject[] {
  if (individual === undefined || individual.reference?.startsWith('Device/')) return [];
  if (individual.reference?.startsWith('Organization/')) return [];
  const code = element.localName === 'responsibleParty' ? 'RESP' : attribute(element, 'typeCode');
  const system = 'http://terminology.hl7.org/CodeSystem/v3-ParticipationType';
  return [{ type: code === undefined ? [] : [{ coding: [{ system, code }] }], individual }];
}

/** A visit with an end, and one that is a point in time, is over when its document is written. */
const isOver = (time: Element | undefined): boolean =>
  timeOf(attribute(child(time, 'high'), 'value')) !== undefined ||
  timeOf(attribute(time, 'value')) !== undefined;

const isEmpty = (value: FhirValue | undefined): boolean =>
  value === undefined || (Array.isArray(value) && value.length === 0);

const saysSomething = (element: Element): boolean =>
  idKeys(element).length > 0 ||
  period(child(element, 'effectiveTime')) !== undefined ||
  attribute(child(element, 'code'), 'code') !== undefined;
