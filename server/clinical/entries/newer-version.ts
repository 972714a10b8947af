import { formatConcept, parseCodings } from './codeable-concept.ts';
import {
  addSplit,
  change,
  isCodeableReference,
  readConcept,
  readReferenced,
  replace,
  splitMembers,
} from './codeable-reference.ts';
import { getPath, readText, toElement, toElements, type Element } from './element.ts';
import {
  readMedication,
  readMedicationAdministration,
  readMedicationDispense,
  readMedicationStatement,
} from './newer-medication.ts';
import { isOlderRecommendation } from './older-version.ts';
import { addAbsent, merge, type Reading } from './version-reading.ts';

/**
 * Elements of R5 (5.0.0) that R4 does not have, and that name a thing, date it, or say that it is not so. Whoever reads such a
 * resource as R4 takes a drug that is not taken for one of which nothing is known. R6 has most of them as well.
 */
const READINGS: ReadonlyMap<unknown, Reading> = new Map<unknown, Reading>([
  ['AdverseEvent', readAdverseEvent],
  [
    'AllergyIntolerance',
    (resource) =>
      merge(
        addAbsent(resource, findParticipants(resource)),
        change(resource, 'reaction', (reaction) => replace(reaction, 'manifestation', readConcept)),
      ),
  ],
  ['Appointment', (resource) => replace(resource, 'serviceType', readConcept)],
  ['BodyStructure', readBodyStructure],
  ['CarePlan', readCarePlan],
  [
    'ClinicalImpression',
    (resource) =>
      change(resource, 'finding', (finding) =>
        addSplit(finding, 'item', ['itemCodeableConcept', 'itemReference']),
      ),
  ],
  ['Condition', (resource) => addAbsent(resource, findParticipants(resource))],
  ['Consent', readConsent],
  ['Coverage', (resource) => addAbsent(resource, { payor: resource['insurer'] })],
  ['Device', readDevice],
  ['DeviceRequest', (resource) => addSplit(resource, 'code', ['codeCodeableConcept', 'codeReference'])],
  ['DocumentReference', readDocumentReference],
  ['Encounter', readEncounter],
  [
    'ImagingStudy',
    (resource) =>
      merge(
        addSplit(resource, 'procedure', ['procedureCode', 'procedureReference']),
        change(resource, 'series', (series) => replace(series, 'bodySite', readConcept)),
      ),
  ],
  ['Immunization', readImmunization],
  [
    'ImmunizationRecommendation',
    (resource) =>
      change(resource, 'recommendation', (each) =>
        isOlderRecommendation(each) ? null : readDoseNumbers(each),
      ),
  ],
  [
    'Medication',
    (resource) =>
      change(resource, 'ingredient', (ingredient) =>
        addSplit(ingredient, 'item', ['itemCodeableConcept', 'itemReference']),
      ),
  ],
  ['MedicationAdministration', readMedicationAdministration],
  ['MedicationDispense', readMedicationDispense],
  ['MedicationRequest', readMedication],
  ['MedicationStatement', readMedicationStatement],
  ['Procedure', readProcedure],
  ['ServiceRequest', (resource) => replace(resource, 'code', readConcept)],
  [
    'Specimen',
    (resource) => change(resource, 'collection', (taken) => replace(taken, 'bodySite', readConcept)),
  ],
  ['Substance', (resource) => replace(resource, 'code', readConcept)],
  ['SupplyRequest', (resource) => addSplit(resource, 'item', ['itemCodeableConcept', 'itemReference'])],
]);

/** Returns the elements of R4 that say what a resource says by those of R5; null where it has none of them. */
export const readNewerVersion: Reading = (resource) =>
  merge(readReasons(resource), READINGS.get(resource['resourceType'])?.(resource) ?? null);

/** `reason` of any type; of a visit and an episode of care they stand in `value`, with what they are for. */
function readReasons(resource: Element): Element | null {
  const reasons = toElements(resource['reason']).flatMap((each): Element[] =>
    each['value'] === undefined ? [each] : toElements(each['value']),
  );
  const members = reasons.filter(isCodeableReference);
  return members.length === 0
    ? null
    : addAbsent(resource, splitMembers(members, ['reasonCode', 'reasonReference']));
}

/** Functions of who says that something is so; the others wrote it down (https://hl7.org/fhir/R5/valueset-participation-role-type.html). */
const ASSERTING = new Set<string | null>(['informant', 'author', 'verifier', 'attester']);

/** Who recorded a fact, and who says that it is so. */
function findParticipants(resource: Element): Element {
  const participants = toElements(resource['participant']);
  const isAsserting = (each: Element): boolean =>
    parseCodings(each['function']).some(({ code }) => ASSERTING.has(code));
  return {
    asserter: participants.find(isAsserting)?.['actor'],
    recorder: participants.find((each) => !isAsserting(each))?.['actor'],
  };
}

function readAdverseEvent(resource: Element): Element | null {
  return merge(
    addAbsent(resource, {
      event: resource['code'],
      date: resource['occurrenceDateTime'] ?? getPath(resource, 'occurrencePeriod', 'start'),
    }),
    change(resource, 'suspectEntity', (each) =>
      addAbsent(each, {
        instance:
          each['instanceReference'] ??
          (each['instanceCodeableConcept'] === undefined
            ? undefined
            : { display: formatConcept(each['instanceCodeableConcept']) }),
      }),
    ),
  );
}

function readBodyStructure(resource: Element): Element | null {
  const included = toElements(resource['includedStructure']);
  const sides = included.flatMap((each) => toElement(each['laterality']) ?? []);
  return addAbsent(resource, {
    location: included[0]?.['structure'],
    locationQualifier: sides.length === 0 ? undefined : sides,
  });
}

function readCarePlan(resource: Element): Element | null {
  return merge(
    replace(resource, 'addresses', readReferenced),
    change(resource, 'activity', (activity) => {
      const references = [
        ...toElements(activity['plannedActivityReference']),
        ...toElements(activity['performedActivity']).flatMap((each) => readReferenced(each) ?? []),
      ];
      return references.length === 0 ? null : addAbsent(activity, { reference: references });
    }),
  );
}

const OPPOSITES: ReadonlyMap<string | null, string> = new Map([
  ['deny', 'permit'],
  ['permit', 'deny'],
]);

/** R5 decides once, and its provisions are what is excepted from that. */
function readConsent(resource: Element): Element | null {
  const decision = readText(resource['decision']);
  const type = OPPOSITES.get(decision);
  const exceptions = toElements(resource['provision']).map((each) => ({ type, ...each }));
  return merge(
    addAbsent(resource, { dateTime: resource['date'] }),
    decision === null ? null : { provision: { type: decision, provision: exceptions } },
  );
}

function readDevice(resource: Element): Element | null {
  const names = toElements(resource['name']).filter((each) => each['value'] !== undefined);
  const definition = toElement(resource['definition']);
  return addAbsent(resource, {
    deviceName: names.length === 0 ? undefined : names.map((each) => ({ ...each, name: each['value'] })),
    type: (definition && readConcept(definition)) ?? undefined,
  });
}

const CONTEXT = ['period', 'event', 'facilityType', 'practiceSetting'];

/** What R4 holds in `context`, which is the list of the visits of a document in R5. */
function readDocumentReference(resource: Element): Element | null {
  const visits = toElements(resource['context']).filter((each) => readText(each['reference']) !== null);
  const written = CONTEXT.filter((name) => resource[name] !== undefined);
  if (visits.length === 0 && written.length === 0) return null;
  const context = {
    ...(visits.length > 0 ? { encounter: visits } : toElement(resource['context'])),
    ...Object.fromEntries(written.map((name) => [name, resource[name]])),
  };
  return { context: { ...context, ...replace(context, 'event', readConcept) } };
}

function readEncounter(resource: Element): Element | null {
  const start = resource['plannedStartDate'];
  const end = resource['plannedEndDate'];
  return merge(
    addAbsent(resource, {
      period:
        resource['actualPeriod'] ?? (start === undefined && end === undefined ? undefined : { start, end }),
      hospitalization: resource['admission'],
    }),
    replace(resource, 'serviceType', readConcept),
    change(resource, 'diagnosis', (diagnosis) => replace(diagnosis, 'condition', readReferenced)),
  );
}

function readImmunization(resource: Element): Element | null {
  return merge(
    replace(resource, 'manufacturer', readReferenced),
    change(resource, 'protocolApplied', readDoseNumbers),
    change(resource, 'reaction', (reaction) => {
      const manifestation = toElement(reaction['manifestation']);
      return manifestation && addAbsent(reaction, { detail: readReferenced(manifestation) });
    }),
  );
}

/** Numbers of doses, which are texts in R5. */
const readDoseNumbers: Reading = (holder) =>
  addAbsent(holder, { doseNumberString: holder['doseNumber'], seriesDosesString: holder['seriesDoses'] });

function readProcedure(resource: Element): Element | null {
  const performed = ['DateTime', 'Period', 'String', 'Age', 'Range'].map((type) => [
    `performed${type}`,
    resource[`occurrence${type}`],
  ]);
  return merge(
    addAbsent(resource, Object.fromEntries(performed) as Element),
    replace(resource, 'complication', readConcept),
  );
}
