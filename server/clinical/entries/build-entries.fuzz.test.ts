import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ParsedResource } from '../store/found-resource.ts';
import { findRequiredReferences, buildEntries } from './build-entries.ts';
import { isRelative } from './reference-text.ts';
import { categorizeResource } from './category.ts';
import { buildDisplay } from './resource-display.ts';
import type { BuildContext } from './entry-builder.ts';
import { isLong } from '../../../test/harness/long.ts';

const CONTEXTS: BuildContext[] = [
  { resolve: () => null },
  { resolve: () => ({ display: null, organization: null }) },
  { resolve: () => ({ display: 'Label', organization: 'Organization', code: 'system|code' }) },
];

const concept = {
  coding: [{ system: 'http://loinc.org', code: '85354-9', display: 'x', userSelected: true }],
  text: 'x',
};
const reference = { reference: 'Organization/1', display: 'x', type: 'Organization' };
const period = { start: '2021-01-01T10:00:00Z', end: '2021-02' };
const quantity = { value: '1.00', unit: 'mg', code: 'mg', comparator: '<' };
const range = { low: quantity, high: quantity, text: 'x', type: concept, appliesTo: [concept] };
const attachment = { contentType: 'text/html; charset=utf-8', data: 'PHA+aGk8L3A+', title: 'x', url: 'x' };
const dosage = {
  sequence: '1',
  additionalInstruction: [concept],
  timing: {
    event: ['2021'],
    code: concept,
    repeat: {
      boundsPeriod: period,
      frequency: '1',
      period: '2',
      periodUnit: 'd',
      when: ['HS'],
      timeOfDay: ['09:00:00'],
      count: '3',
      duration: '1',
      durationUnit: 'h',
      dayOfWeek: ['mon'],
    },
  },
  asNeededBoolean: true,
  route: concept,
  doseAndRate: [
    { doseQuantity: quantity, doseRange: range, rateRatio: { numerator: quantity, denominator: quantity } },
  ],
  maxDosePerPeriod: { numerator: quantity, denominator: quantity },
};

/** Every element that the builders read, on one resource: its type decides which of them are read. */
const EVERYTHING = {
  id: '1',
  text: { div: '<div>x</div>' },
  contained: [
    { resourceType: 'Medication', id: 'm', code: concept, ingredient: [{ itemCodeableConcept: concept }] },
  ],
  identifier: [{ system: 'x', value: 'urn:uuid:78eb1ea7-7e46-5eba-a5d7-108eba5d294b' }],
  status: 'active',
  clinicalStatus: concept,
  verificationStatus: concept,
  lifecycleStatus: 'active',
  code: concept,
  category: [concept],
  type: [concept],
  class: { code: 'AMB' },
  name: [{ family: 'x', given: ['y', null] }],
  onsetDateTime: '2021-13',
  onsetAge: quantity,
  abatementPeriod: period,
  performedPeriod: period,
  effectivePeriod: period,
  effectiveDateTime: '2021',
  period,
  authoredOn: '2021-02-31',
  medicationReference: { reference: '#m' },
  vaccineCode: concept,
  protocolApplied: [{ doseNumberPositiveInt: '1', series: 'x' }],
  encounter: { reference: 'Encounter/1' },
  context: { encounter: [{ reference: 'Encounter/1' }], period, related: [reference] },
  performer: [{ actor: reference }],
  requester: reference,
  author: [reference],
  participant: [{ individual: reference, member: reference, role: [concept] }],
  location: [{ location: reference }],
  reasonCode: [concept],
  reasonReference: [reference],
  diagnosis: [{ condition: reference }],
  note: [{ text: 'x' }],
  dosageInstruction: [dosage],
  dosage: [dosage],
  quantity,
  reaction: [{ manifestation: [concept], severity: 'mild', substance: concept }],
  valueQuantity: quantity,
  valueCodeableConcept: concept,
  valueRatio: { numerator: quantity, denominator: quantity },
  valueSampledData: {},
  dataAbsentReason: concept,
  interpretation: [concept],
  referenceRange: [range],
  component: [{ code: concept, valueQuantity: quantity, referenceRange: [range] }],
  content: [{ attachment }],
  presentedForm: [attachment],
  conclusion: 'x',
  conclusionCode: [concept],
  section: [{ title: 'x', text: { div: '<p>x' }, section: [{ code: concept, text: { div: 'x' } }] }],
  item: [
    {
      linkId: '1',
      text: 'x',
      answer: [{ valueString: 'x', item: [{ answer: [{ valueCoding: { code: 'x' } }] }] }],
      productOrService: concept,
    },
  ],
  questionnaire: 'http://x/Questionnaire/1|2',
  total: [{ category: concept, amount: { value: '1', currency: 'USD' } }],
  insurance: [{ coverage: { display: 'x' } }],
  activity: [{ detail: { code: concept }, reference }],
  addresses: [reference],
  target: [{ measure: concept, detailRange: range, dueDate: '2021' }],
  series: [{ modality: { code: 'DX' }, bodySite: { code: 'x' } }],
  relationship: concept,
  condition: [{ code: concept, onsetAge: quantity }],
  deviceName: [{ name: 'x' }],
  class_: null,
};

const TYPES = [
  'AllergyIntolerance Appointment CarePlan CareTeam Claim Communication Composition Condition Coverage Device',
  'DiagnosticReport DocumentReference Encounter ExplanationOfBenefit FamilyMemberHistory Flag Goal ImagingStudy',
  'Immunization List Location Medication MedicationAdministration MedicationDispense MedicationRequest',
  'MedicationStatement NutritionOrder Observation Organization Patient Practitioner PractitionerRole Procedure',
  'QuestionnaireResponse RiskAssessment ServiceRequest Specimen constructor __proto__',
].flatMap((line) => line.split(' '));

/** What a producer, a converter or an attacker may write where something else belongs. */
const WRONG: unknown[] = [
  null,
  'a string',
  '',
  '<',
  [],
  {},
  [null],
  [[]],
  [{}],
  7,
  true,
  '\u0000',
  '\ud800',
  { reference: '#' },
];

/** Every copy of the value with one of its parts replaced. */
function* mutations(value: unknown, wrong: unknown): Generator {
  if (Array.isArray(value)) {
    for (const [index, member] of value.entries()) {
      for (const other of [wrong, ...mutations(member, wrong)]) yield value.with(index, other);
    }
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      for (const other of [wrong, ...mutations(member, wrong)]) yield { ...value, [name]: other };
    }
  }
}

function buildInContext(resource: ParsedResource, context: BuildContext): void {
  for (const entry of buildEntries(resource, context)) {
    assert.equal(typeof entry.title, 'string');
    assert.notEqual(entry.title.trim(), '');
    assert.equal(entry.category, categorizeResource(resource));
    const written = JSON.stringify(entry);
    assert.ok(!written.includes('\\u0000') && !written.includes('\\ud800'), 'no database text holds these');
  }
}

/** What entries resolve was looked up before they are built. */
function assertAsksForNoOther(resource: ParsedResource): void {
  const required = new Set(findRequiredReferences(resource));
  buildEntries(resource, {
    resolve(reference) {
      assert.ok(required.has(reference) || !isRelative(reference), reference);
      return null;
    },
  });
}

function projectedEveryWay(resource: ParsedResource): void {
  for (const context of CONTEXTS) buildInContext(resource, context);
  assertAsksForNoOther(resource);
  buildDisplay(resource);
}

describe('the entries of malformed resources', () => {
  for (const [index, resourceType] of TYPES.entries()) {
    it(`are built without an exception for a ${resourceType} with any value anywhere`, () => {
      let turn = 0;
      let count = index;
      for (const wrong of WRONG) {
        for (const mutated of mutations(EVERYTHING, wrong)) {
          // In `npm test` each fourth one: what one type leaves out, one of the next three takes.
          if (!isLong && count++ % 4 !== 0) continue;
          const resource = { ...(mutated as object), resourceType };
          const context = CONTEXTS[turn++ % (CONTEXTS.length + 1)];
          if (context) buildInContext(resource, context);
          else assertAsksForNoOther(resource);
        }
        const all = Object.fromEntries(Object.keys(EVERYTHING).map((name) => [name, wrong]));
        projectedEveryWay({ ...all, resourceType });
      }
    });
  }

  it('are built without an exception for a resource type that is no text', () => {
    for (const wrong of WRONG) projectedEveryWay({ ...EVERYTHING, resourceType: wrong as string });
  });

  it('are built for sections and questions nested a hundred thousand deep', () => {
    let section: object = { title: 'deep', text: { div: '<p>deep</p>' } };
    let item: object = { answer: [{ valueString: 'deep' }] };
    for (let depth = 0; depth < 100_000; depth++) {
      section = { section: [section] };
      item = { item: [item] };
    }
    assert.equal(
      buildEntries({ resourceType: 'Composition', section: [section] }, CONTEXTS[0] as BuildContext).length,
      1,
    );
    projectedEveryWay({ resourceType: 'QuestionnaireResponse', item: [item] });
  });

  it('are built by reading a megabyte of unclosed tags or empty cells once, not once for every tag', () => {
    const started = process.threadCpuUsage();
    for (const tag of ['<script', '<', '<!--', '<!a[', '&#', '<pre><td', '</td>x', ' |']) {
      const div = `${tag.repeat(1_000_000 / tag.length)}x`;
      buildEntries({ resourceType: 'Composition', section: [{ text: { div } }] }, { resolve: () => null });
    }
    assert.ok(process.threadCpuUsage(started).user < 10_000_000, 'ten seconds of the processor');
  });
});
