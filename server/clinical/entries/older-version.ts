import { change } from './codeable-reference.ts';
import { getPath, isTrue, toElement, toElements, type Element } from './element.ts';
import { readStatusCode } from './status-code.ts';
import { addAbsent, merge, type Reading } from './version-reading.ts';

/**
 * Elements of DSTU2 (1.0.2) and STU3 (3.0.2) that R4 does not have, and that say that something is not so, or which thing is meant.
 * Whoever reads such a resource as R4 takes a vaccine that was refused for one that was given: its status is `completed`.
 */
const READINGS: ReadonlyMap<unknown, Reading> = new Map<unknown, Reading>([
  ['AdverseEvent', readAdverseEvent],
  ['AllergyIntolerance', readAllergyIntolerance],
  ['CarePlan', readCarePlan],
  [
    'Communication',
    (resource) =>
      isTrue(resource['notDone']) ? deny(resource, 'not-done', resource['notDoneReason']) : null,
  ],
  ['Condition', readCondition],
  ['Consent', readConsent],
  ['FamilyMemberHistory', readFamilyMemberHistory],
  ['Goal', readGoal],
  ['Immunization', readImmunization],
  ['ImmunizationRecommendation', (resource) => change(resource, 'recommendation', readRecommendation)],
  ['MedicationAdministration', readMedicationAdministration],
  [
    'MedicationDispense',
    (resource) =>
      isTrue(resource['notDone'])
        ? deny(resource, 'cancelled', resource['notDoneReasonCodeableConcept'])
        : null,
  ],
  ['MedicationStatement', readMedicationStatement],
  ['Procedure', readProcedure],
]);

/** Returns the elements of R4 that say what a resource says by those of DSTU2 and STU3; null where it has none of them. */
export const readOlderVersion: Reading = (resource) =>
  READINGS.get(resource['resourceType'])?.(resource) ?? null;

/** The status of what did not take place; whatever was entered in error stays so. */
const deny = (resource: Element, status: string, reason: unknown): Element => ({
  status: readStatusCode(resource['status']) === 'entered-in-error' ? resource['status'] : status,
  ...(reason !== undefined && { statusReason: reason }),
});

/** STU3: `PAE` is a potential event. */
function readAdverseEvent(resource: Element): Element | null {
  return resource['category'] === 'PAE' ? addAbsent(resource, { actuality: 'potential' }) : null;
}

/** DSTU2: one status says both how the allergy is and whether it is confirmed. */
const ALLERGY_STATUSES: ReadonlyMap<string | null, Element> = new Map(
  Object.entries({
    active: { clinicalStatus: 'active' },
    unconfirmed: { clinicalStatus: 'active', verificationStatus: 'unconfirmed' },
    confirmed: { clinicalStatus: 'active', verificationStatus: 'confirmed' },
    inactive: { clinicalStatus: 'inactive' },
    resolved: { clinicalStatus: 'resolved' },
    refuted: { verificationStatus: 'refuted' },
    'entered-in-error': { verificationStatus: 'entered-in-error' },
  }),
);

const CRITICALITIES = new Map<unknown, string>([
  ['CRITL', 'low'],
  ['CRITH', 'high'],
  ['CRITU', 'unable-to-assess'],
]);

function readAllergyIntolerance(resource: Element): Element | null {
  const criticality = CRITICALITIES.get(resource['criticality']);
  return merge(
    addAbsent(resource, {
      code: resource['substance'],
      ...ALLERGY_STATUSES.get(readStatusCode(resource['status'])),
      onsetDateTime: resource['onset'],
      recordedDate: resource['assertedDate'],
      asserter: resource['reporter'],
      lastOccurrence: resource['lastOccurence'],
    }),
    criticality === undefined ? null : { criticality },
  );
}

/** DSTU2 and STU3: `prohibited` became `doNotPerform`. */
function readCarePlan(resource: Element): Element | null {
  const activities = toElements(resource['activity']);
  if (!activities.some(({ detail }) => isTrue(getPath(detail, 'prohibited')))) return null;
  return {
    activity: activities.map((activity) => {
      const detail = toElement(activity['detail']);
      return detail !== null && isTrue(detail['prohibited'])
        ? { ...activity, detail: { ...detail, doNotPerform: true } }
        : activity;
    }),
  };
}

function readCondition(resource: Element): Element | null {
  return addAbsent(resource, { recordedDate: resource['dateRecorded'] ?? resource['assertedDate'] });
}

/** STU3: `except` says what is denied or permitted besides. */
function readConsent(resource: Element): Element | null {
  const exceptions = resource['except'];
  return addAbsent(resource, {
    provision: exceptions === undefined ? undefined : { provision: exceptions },
  });
}

/** STU3: whether the history was taken at all. */
function readFamilyMemberHistory(resource: Element): Element | null {
  if (!isTrue(resource['notDone'])) return null;
  return {
    ...deny(resource, 'health-unknown', undefined),
    ...addAbsent(resource, { dataAbsentReason: resource['notDoneReason'] ?? { text: 'not taken' } }),
  };
}

function readGoal(resource: Element): Element | null {
  return addAbsent(resource, { lifecycleStatus: resource['status'] });
}

/** Only the recommendations of DSTU2 and STU3 have a date, and they must have one. */
export const isOlderRecommendation = (recommendation: Element): boolean =>
  recommendation['date'] !== undefined;

const readRecommendation: Reading = (recommendation) =>
  isOlderRecommendation(recommendation)
    ? addAbsent(recommendation, { doseNumberPositiveInt: recommendation['doseNumber'] })
    : null;

/** DSTU2: `wasNotGiven`; STU3: `notGiven`. */
function readImmunization(resource: Element): Element | null {
  const isDenied = isTrue(resource['wasNotGiven']) || isTrue(resource['notGiven']);
  return merge(
    addAbsent(resource, {
      occurrenceDateTime: resource['date'],
      reasonCode: getPath(resource, 'explanation', 'reason'),
    }),
    isDenied ? deny(resource, 'not-done', getPath(resource, 'explanation', 'reasonNotGiven')) : null,
  );
}

/** DSTU2: `wasNotGiven`; STU3: `notGiven`. */
function readMedicationAdministration(resource: Element): Element | null {
  const isDenied = isTrue(resource['wasNotGiven']) || isTrue(resource['notGiven']);
  return merge(
    addAbsent(resource, {
      effectiveDateTime: resource['effectiveTimeDateTime'],
      effectivePeriod: resource['effectiveTimePeriod'],
    }),
    isDenied ? deny(resource, 'not-done', resource['reasonNotGiven']) : null,
  );
}

/** Statuses that would say that a drug was taken of which nobody knows whether it was. */
const TAKEN_STATUSES = new Set<string | null>([null, 'active', 'completed']);

/** DSTU2: `wasNotTaken`; STU3: `taken`, which is `y`, `n`, `unk` or `na`. */
function readMedicationStatement(resource: Element): Element | null {
  const taken = readStatusCode(resource['taken']);
  if (isTrue(resource['wasNotTaken']) || taken === 'n')
    return deny(resource, 'not-taken', resource['reasonNotTaken']);
  if (taken === null || taken === 'y') return null;
  return TAKEN_STATUSES.has(readStatusCode(resource['status']))
    ? deny(resource, 'unknown', [{ text: 'whether it was taken is not known' }])
    : null;
}

/** DSTU2: `notPerformed`; STU3: `notDone`. */
function readProcedure(resource: Element): Element | null {
  const isDenied = isTrue(resource['notPerformed']) || isTrue(resource['notDone']);
  return isDenied
    ? deny(resource, 'not-done', resource['notDoneReason'] ?? resource['reasonNotPerformed'])
    : null;
}
