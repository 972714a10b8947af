import { STATEMENTS, type Statement, type TypeStatements } from './statements.ts';

const others = (entries: readonly [Statement['question'], Statement['form'], ...string[]][]): Statement[] =>
  entries.flatMap(([question, form, ...paths]) => paths.map((path) => ({ question, form, path })));

/** Of the types that `get_other_records`, the notes and the summary state. */
const OTHER: Readonly<Record<string, TypeStatements>> = {
  DiagnosticReport: {
    names: ['code'],
    days: ['effectiveDateTime', 'effectivePeriod.start', 'issued'],
    statements: others([
      ['status', 'status', 'status'],
      ['value', 'text', 'conclusion'],
      ['value', 'concept', 'conclusionCode'],
      ['who', 'reference', 'performer', 'resultsInterpreter'],
    ]),
  },
  DocumentReference: {
    names: ['type', 'description', 'content.attachment.title', 'category'],
    days: ['context.period.start', 'date'],
    statements: others([
      ['more', 'text', 'description'],
      ['who', 'reference', 'author'],
    ]),
  },
  CarePlan: {
    names: ['title', 'category', 'description'],
    days: ['period.start', 'created'],
    statements: others([
      ['status', 'status', 'status'],
      ['value', 'concept', 'activity.detail.code'],
      ['value', 'text', 'description', 'activity.detail.description'],
      ['more', 'reference', 'addresses', 'goal', 'activity.reference'],
      ['more', 'date', 'period.end'],
      ['more', 'text', 'note.text'],
    ]),
  },
  Goal: {
    names: ['description'],
    days: ['startDate', 'statusDate', 'target.dueDate'],
    statements: others([
      ['status', 'status', 'lifecycleStatus'],
      ['status', 'concept', 'achievementStatus'],
      ['value', 'quantity', 'target.detailQuantity'],
      ['value', 'concept', 'target.measure', 'target.detailCodeableConcept'],
      ['value', 'range', 'target.detailRange'],
      ['more', 'date', 'target.dueDate'],
      ['more', 'reference', 'addresses'],
      ['more', 'text', 'note.text'],
    ]),
  },
  CareTeam: {
    names: ['name', 'category', 'reasonCode', 'participant.role'],
    days: ['period.start'],
    statements: others([
      ['status', 'status', 'status'],
      ['value', 'reference', 'participant.member'],
      ['more', 'concept', 'participant.role', 'reasonCode'],
      ['more', 'date', 'period.end'],
    ]),
  },
  Device: {
    names: ['type', 'deviceName.name', 'distinctIdentifier'],
    days: ['manufactureDate'],
    statements: others([
      ['status', 'status', 'status'],
      ['more', 'text', 'manufacturer', 'modelNumber', 'lotNumber', 'serialNumber'],
      ['more', 'date', 'expirationDate'],
    ]),
  },
  FamilyMemberHistory: {
    names: ['relationship', 'condition.code'],
    days: ['date'],
    statements: others([
      ['value', 'concept', 'relationship', 'condition.code'],
      ['value', 'concept', 'condition.outcome'],
      ['more', 'text', 'deceasedString', 'condition.note.text', 'note.text'],
      ['more', 'quantity', 'condition.onsetAge', 'deceasedAge'],
    ]),
  },
  ImagingStudy: {
    names: ['description', 'procedureCode', 'modality', 'series.modality'],
    days: ['started'],
    statements: others([
      ['status', 'status', 'status'],
      ['value', 'concept', 'series.modality', 'series.bodySite', 'procedureCode'],
      ['value', 'text', 'description'],
    ]),
  },
  ServiceRequest: {
    names: ['code'],
    days: ['authoredOn', 'occurrenceDateTime', 'occurrencePeriod.start'],
    statements: others([
      ['status', 'status', 'status', 'intent'],
      ['who', 'reference', 'requester', 'performer'],
      ['more', 'concept', 'reasonCode'],
      ['more', 'reference', 'reasonReference'],
      ['more', 'text', 'note.text'],
    ]),
  },
  Coverage: {
    names: ['type', 'payor'],
    days: ['period.start'],
    statements: others([
      ['status', 'status', 'status'],
      ['value', 'reference', 'payor'],
      ['more', 'text', 'subscriberId'],
    ]),
  },
  QuestionnaireResponse: {
    names: ['questionnaire'],
    days: ['authored'],
    statements: others([
      ['value', 'text', 'item.answer.valueString', 'item.item.answer.valueString'],
      ['value', 'concept', 'item.answer.valueCoding', 'item.item.answer.valueCoding'],
      ['more', 'text', 'item.text'],
    ]),
  },
  Claim: { names: ['type', 'item.productOrService'], days: ['created'], statements: [] },
  ExplanationOfBenefit: { names: ['type', 'item.productOrService'], days: ['created'], statements: [] },
  SupplyDelivery: {
    names: ['suppliedItem.itemCodeableConcept', 'type'],
    days: ['occurrenceDateTime'],
    statements: [],
  },
  Patient: {
    names: ['name.family', 'name.text'],
    days: [],
    statements: others([
      ['what', 'text', 'name.family', 'name.given'],
      ['when', 'date', 'birthDate'],
      ['status', 'date', 'deceasedDateTime'],
      ['value', 'text', 'gender', 'address.line', 'address.city', 'telecom.value'],
      ['more', 'concept', 'maritalStatus', 'communication.language'],
      ['who', 'reference', 'generalPractitioner'],
    ]),
  },
};

export const ALL_STATEMENTS: ReadonlyMap<string, TypeStatements> = new Map([
  ...Object.entries(STATEMENTS),
  ...Object.entries(OTHER),
]);
