import type { Element } from 'slimdom';
import { toCodeableConcept } from '../concepts.ts';
import { getAttribute, getChild, getChildren, selectFirst, getText } from '../elements.ts';
import { toEncounterClass, isKnownClass } from '../encounter-class.ts';
import type { FhirObject, FhirValue, Reference } from '../fhir-values.ts';
import { toIdentifiers, getIdKeys } from '../identifiers.ts';
import { toIndividual } from '../people.ts';
import type { ResourceList } from '../resource-list.ts';
import type { Context, Visit } from '../section.ts';
import { getEnd, toPeriod, parseTs } from '../times.ts';

const PATH = 'componentOf/encompassingEncounter';
const POSITION = 'componentOf.encompassingEncounter';

export function reserveVisit(root: Element, resources: ResourceList): Visit | undefined {
  const element = selectFirst(root, PATH);
  if (element === undefined || !hasContent(element)) return undefined;
  return {
    reference: resources.reserve('Encounter', POSITION),
    keys: getIdKeys(element),
    sectionEntry: undefined,
  };
}

/** Adds the visit after the sections have been read. */
export function addVisit(root: Element, context: Context): void {
  const element = selectFirst(root, PATH);
  if (element === undefined || context.visit === undefined) return;
  const { reference, sectionEntry } = context.visit;
  const content = buildEncounter(element, context);
  context.resources.put(
    reference,
    sectionEntry?.position ?? POSITION,
    sectionEntry ? mergeContent(content, sectionEntry.content) : content,
  );
}

/** Merges the header's Encounter with the section's, which takes precedence except where it is empty. */
function mergeContent(header: FhirObject, entry: FhirObject): FhirObject {
  const known = Object.entries(entry).filter(
    ([name, value]) => !isEmpty(value) && (name !== 'class' || isKnownClass(value)),
  );
  const period = { ...(header['period'] as FhirObject), ...(entry['period'] as FhirObject) };
  return { ...header, ...Object.fromEntries(known), period };
}

function buildEncounter(element: Element, { patient, people, narrative }: Context): FhirObject {
  const code = getChild(element, 'code');
  const type = toCodeableConcept(code, narrative);
  const time = getChild(element, 'effectiveTime');
  const discharge = toCodeableConcept(getChild(element, 'dischargeDispositionCode'), narrative);
  const facility = selectFirst(element, 'location/healthCareFacility');
  const locationElement = getChild(facility, 'location') ?? facility;
  const location = people.resolveLocation(locationElement, getText(getChild(locationElement, 'name')));
  const participants = [
    ...getChildren(element, 'responsibleParty'),
    ...getChildren(element, 'encounterParticipant'),
  ];
  return {
    identifier: toIdentifiers(element),
    status: isOver(time) ? 'finished' : 'unknown',
    class: toEncounterClass(code, type),
    type: type && [type],
    subject: patient,
    participant: participants.flatMap((one) =>
      toParticipant(one, toIndividual(people.resolveAssigned(getChild(one, 'assignedEntity')))),
    ),
    period: toPeriod(time),
    hospitalization: discharge && { dischargeDisposition: discharge },
    location: location && [{ location }],
    serviceProvider: people.resolveOrganization(getChild(facility, 'serviceProviderOrganization')),
  };
}

/** Converts a participant with its v3 ParticipationType, to which FHIR's `participant.type` is bound. */
function toParticipant(element: Element, individual: Reference | undefined): FhirObject[] {
  if (individual === undefined) return [];
  const code = element.localName === 'responsibleParty' ? 'RESP' : getAttribute(element, 'typeCode');
  const system = 'http://terminology.hl7.org/CodeSystem/v3-ParticipationType';
  return [{ type: code === undefined ? [] : [{ coding: [{ system, code }] }], individual }];
}

/** A visit with an end, or at a point in time, was over when its document was written. */
const isOver = (time: Element | undefined): boolean =>
  getEnd(time) !== undefined || parseTs(getAttribute(time, 'value')) !== undefined;

const isEmpty = (value: FhirValue | undefined): boolean =>
  value === undefined || (Array.isArray(value) && value.length === 0);

const hasContent = (element: Element): boolean =>
  getIdKeys(element).length > 0 ||
  toPeriod(getChild(element, 'effectiveTime')) !== undefined ||
  getAttribute(getChild(element, 'code'), 'code') !== undefined;
