import type { Question } from './fact.ts';

/** How what stands at a path is said. */
export type Form = 'concept' | 'text' | 'quantity' | 'status' | 'reference' | 'date' | 'range' | 'flag';

export interface Statement {
  question: Question;
  path: string;
  form: Form;
}

const state =
  (question: Question) =>
  (form: Form, ...paths: string[]): Statement[] =>
    paths.map((path) => ({ question, path, form }));
const value = state('value');
const status = state('status');
const who = state('who');
const more = state('more');

/** The names of a type, its dates in the order of preference, and what else a clinician looks for in it. */
export interface TypeStatements {
  names: string[];
  days: string[];
  statements: Statement[];
}

const observed = (prefix: string): Statement[] => [
  ...value('quantity', `${prefix}valueQuantity`),
  ...value('concept', `${prefix}valueCodeableConcept`),
  ...value('text', `${prefix}valueString`, `${prefix}valueInteger`),
  ...value('flag', `${prefix}valueBoolean`),
  ...value('range', `${prefix}valueRange`, `${prefix}valueRatio`),
  ...value('date', `${prefix}valueDateTime`, `${prefix}valuePeriod.start`, `${prefix}valuePeriod.end`),
  ...value('text', `${prefix}valueTime`),
  ...more('concept', `${prefix}interpretation`),
  ...more('range', `${prefix}referenceRange`),
];

const dosage = (field: string): Statement[] => [
  ...value('text', `${field}.text`, `${field}.patientInstruction`),
  ...value('quantity', `${field}.doseAndRate.doseQuantity`, `${field}.doseAndRate.rateQuantity`),
  ...value('concept', `${field}.route`, `${field}.additionalInstruction`),
];

const medication = ['medicationCodeableConcept', 'medicationReference'];
const reasons = [...more('concept', 'reasonCode'), ...more('reference', 'reasonReference')];
const notes = more('text', 'note.text');

/** By resource type; a type that is not here states nothing to a clinician by itself. */
export const STATEMENTS: Readonly<Record<string, TypeStatements>> = {
  Condition: {
    names: ['code'],
    days: ['onsetDateTime', 'onsetPeriod.start', 'recordedDate', 'encounter>period.start'],
    statements: [
      ...status('status', 'clinicalStatus.coding.code', 'verificationStatus.coding.code'),
      ...status('concept', 'severity', 'stage.summary'),
      ...more('date', 'abatementDateTime', 'abatementPeriod.end'),
      ...more('concept', 'bodySite'),
      ...more('text', 'onsetString', 'abatementString'),
      ...who('reference', 'asserter', 'recorder'),
      ...notes,
    ],
  },
  AllergyIntolerance: {
    names: ['code', 'reaction.substance'],
    days: ['onsetDateTime', 'recordedDate', 'onsetPeriod.start'],
    statements: [
      ...status('status', 'clinicalStatus.coding.code', 'verificationStatus.coding.code', 'criticality'),
      ...value('concept', 'reaction.manifestation'),
      ...more('status', 'reaction.severity'),
      ...more('text', 'reaction.description'),
      ...who('reference', 'asserter', 'recorder'),
      ...notes,
    ],
  },
  MedicationRequest: {
    names: medication,
    days: ['authoredOn', 'encounter>period.start'],
    statements: [
      ...status('status', 'status'),
      ...dosage('dosageInstruction'),
      ...who('reference', 'requester'),
      ...more('text', 'dispenseRequest.numberOfRepeatsAllowed'),
      ...more('quantity', 'dispenseRequest.quantity'),
      ...reasons,
      ...notes,
    ],
  },
  MedicationStatement: {
    names: medication,
    days: ['effectiveDateTime', 'effectivePeriod.start', 'dateAsserted'],
    statements: [
      ...status('status', 'status'),
      ...dosage('dosage'),
      ...more('date', 'effectivePeriod.end'),
      ...reasons,
      ...notes,
    ],
  },
  MedicationAdministration: {
    names: medication,
    days: ['effectiveDateTime', 'effectivePeriod.start'],
    statements: [
      ...status('status', 'status'),
      ...value('text', 'dosage.text'),
      ...value('quantity', 'dosage.dose', 'dosage.rateQuantity'),
      ...value('concept', 'dosage.route'),
      ...who('reference', 'performer.actor'),
      ...reasons,
      ...notes,
    ],
  },
  MedicationDispense: {
    names: medication,
    days: ['whenHandedOver', 'whenPrepared'],
    statements: [
      ...status('status', 'status'),
      ...value('quantity', 'quantity', 'daysSupply'),
      ...dosage('dosageInstruction'),
      ...who('reference', 'performer.actor'),
      ...notes,
    ],
  },
  Observation: {
    names: ['code'],
    days: [
      'effectiveDateTime',
      'effectivePeriod.start',
      'effectiveInstant',
      'issued',
      'encounter>period.start',
    ],
    statements: [
      ...observed(''),
      ...value('concept', 'component.code'),
      ...observed('component.'),
      ...value('concept', 'dataAbsentReason'),
      ...status('status', 'status'),
      ...more('concept', 'bodySite', 'method'),
      ...more('reference', 'specimen'),
      ...who('reference', 'performer'),
      ...notes,
    ],
  },
  Procedure: {
    names: ['code'],
    days: ['performedDateTime', 'performedPeriod.start', 'encounter>period.start'],
    statements: [
      ...status('status', 'status'),
      ...status('concept', 'statusReason', 'outcome', 'complication'),
      ...more('concept', 'bodySite', 'followUp'),
      ...more('text', 'performedString'),
      ...who('reference', 'performer.actor'),
      ...reasons,
      ...notes,
    ],
  },
  Immunization: {
    names: ['vaccineCode'],
    days: ['occurrenceDateTime', 'recorded'],
    statements: [
      ...status('status', 'status'),
      ...status('concept', 'statusReason'),
      ...more(
        'text',
        'occurrenceString',
        'lotNumber',
        'protocolApplied.doseNumberPositiveInt',
        'protocolApplied.doseNumberString',
      ),
      ...more('quantity', 'doseQuantity'),
      ...more('concept', 'site', 'route'),
      ...more('reference', 'reaction.detail', 'manufacturer'),
      ...who('reference', 'performer.actor'),
      ...reasons,
      ...notes,
    ],
  },
  Encounter: {
    names: ['type', 'class', 'serviceType'],
    days: ['period.start'],
    statements: [
      ...status('status', 'status'),
      ...status('concept', 'class'),
      ...more('date', 'period.end'),
      ...more(
        'concept',
        'serviceType',
        'hospitalization.dischargeDisposition',
        'hospitalization.admitSource',
      ),
      ...more('reference', 'location.location', 'diagnosis.condition'),
      ...who('reference', 'participant.individual'),
      ...reasons,
    ],
  },
};
