import { addSplit, change, isCodeableReference, readReferenced, replace } from './codeable-reference.ts';
import { getPath, toArray, toElement, type Element } from './element.ts';
import { readStatusCode } from './status-code.ts';
import { addAbsent, merge } from './version-reading.ts';

/** The drug of an order, a dispense, a dose or a statement. */
export function readMedication(resource: Element): Element | null {
  const medication = toElement(resource['medication']);
  if (medication === null || !isCodeableReference(medication)) return null;
  return addAbsent(resource, {
    medicationCodeableConcept: medication['concept'],
    medicationReference: medication['reference'],
  });
}

/** R5 writes `occurence`, R6 `occurrence`. */
export function readMedicationAdministration(resource: Element): Element | null {
  return merge(
    readMedication(resource),
    addAbsent(resource, {
      effectiveDateTime: resource['occurenceDateTime'] ?? resource['occurrenceDateTime'],
      effectivePeriod: resource['occurencePeriod'] ?? resource['occurrencePeriod'],
    }),
    change(resource, 'performer', (performer) => replace(performer, 'actor', readReferenced)),
  );
}

/** R5 says in one element why nothing was dispensed. */
export function readMedicationDispense(resource: Element): Element | null {
  return merge(
    readMedication(resource),
    addSplit(resource, 'notPerformedReason', ['statusReasonCodeableConcept', 'statusReasonReference']),
  );
}

/** What R4 says by the status R5 says by the adherence, how well it is kept to apart. */
const ADHERENCES: ReadonlyMap<string, string> = new Map([
  ['taking', 'active'],
  ['not-taking', 'not-taken'],
  ['on-hold', 'on-hold'],
  ['stopped', 'stopped'],
  ['unknown', 'unknown'],
]);

const ADHERENCE_MANNER = /-(?:not-)?as-directed$/;

/** A status of R5 says whether the statement is recorded; a medicine that one states is taken, unless its adherence says otherwise. */
export function readMedicationStatement(resource: Element): Element | null {
  const code = getPath(resource, 'adherence', 'code');
  const adherence = readStatusCode(code);
  const taken = adherence === null ? 'active' : ADHERENCES.get(adherence.replace(ADHERENCE_MANNER, ''));
  const status = readStatusCode(resource['status']);
  const reasons = [
    ...(adherence?.endsWith('-not-as-directed') === true ? [code] : []),
    ...toArray(getPath(resource, 'adherence', 'reason')),
  ];
  const isRecorded = status === 'recorded' || (status === null && adherence !== null);
  return merge(
    readMedication(resource),
    isRecorded ? { status: taken ?? 'unknown' } : null,
    reasons.length === 0 ? null : addAbsent(resource, { statusReason: reasons }),
  );
}
