import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { buildEntries } from '../build-entries.ts';
import { isRecordEntry } from '../other-kinds.ts';
import type { ParsedResource } from '../../store/found-resource.ts';

const concept = (text: string) => ({ text });
const years = (value: number) => ({ value, unit: 'a' });

/** Each resource, with the title and the text of its entry. */
const RESOURCES: readonly [resource: ParsedResource, title: string, text: string | null][] = [
  [
    nutrition({
      oralDiet: {
        type: [concept('Low sodium')],
        nutrient: [{ modifier: concept('Sodium'), amount: { value: 2, unit: 'g' } }],
        texture: [{ modifier: concept('Minced'), foodType: concept('Meat') }],
      },
      supplement: [{ productName: 'Boost', quantity: { value: 1, unit: 'bottle' } }],
      excludeFoodModifier: [concept('Peanut')],
    }),
    'Nutrition order: Low sodium, Boost',
    'Not to contain: Peanut\nMinced Meat\nSodium 2 g\nBoost, 1 bottle',
  ],
  [
    nutrition({
      enteralFormula: { baseFormulaType: concept('Formula A'), maxVolumeToDeliver: { value: 1, unit: 'L' } },
    }),
    'Nutrition order: Formula A',
    'at most 1 L',
  ],
  [nutrition({}), 'Nutrition order without a name', null],
  [
    {
      resourceType: 'VisionPrescription',
      lensSpecification: [
        {
          eye: 'left',
          product: concept('lens'),
          sphere: '-1.50',
          axis: 180,
          prism: [{ amount: 0.5, base: 'down' }],
        },
        { eye: 'right', product: concept('lens'), sphere: '-4' },
      ],
    },
    'Vision prescription: left -1.50, right -4',
    'left: lens, sphere -1.50, axis 180, prism 0.5 down\nright: lens, sphere -4',
  ],
  [
    {
      resourceType: 'ServiceRequest',
      code: concept('MRI'),
      bodySite: [concept('knee')],
      priority: 'stat',
      asNeededBoolean: true,
      intent: 'order',
    },
    'Order: MRI',
    'Body site: knee\nas needed\nPriority: stat',
  ],
  [
    {
      resourceType: 'DeviceRequest',
      codeCodeableConcept: concept('Wheelchair'),
      parameter: [{ code: concept('Size'), valueCodeableConcept: concept('large') }],
    },
    'Wheelchair',
    'Size: large',
  ],
  [
    {
      resourceType: 'SupplyDelivery',
      type: concept('Device'),
      suppliedItem: { itemCodeableConcept: concept('Insulin pen'), quantity: { value: 5 } },
    },
    'Insulin pen',
    '5',
  ],
  [
    {
      resourceType: 'RiskAssessment',
      method: concept('Framingham'),
      prediction: [
        {
          outcome: concept('Heart attack'),
          probabilityRange: { low: { value: 10, unit: '%' }, high: { value: 20, unit: '%' } },
          qualitativeRisk: concept('high'),
          whenRange: { high: years(10) },
        },
      ],
      mitigation: 'Stop smoking',
    },
    'Risk assessment: Heart attack',
    'Heart attack: probability 10 to 20 %, high, up to 10 years\nMethod: Framingham\nStop smoking',
  ],
  [
    {
      resourceType: 'DetectedIssue',
      code: concept('Drug interaction'),
      severity: 'high',
      detail: 'Warfarin with ibuprofen',
      implicated: [{ display: 'Warfarin' }],
      mitigation: [{ action: concept('Ibuprofen stopped') }],
    },
    'Drug interaction',
    'Severity: high\nWarfarin with ibuprofen\nBetween: Warfarin\nDone about it: Ibuprofen stopped',
  ],
  [
    {
      resourceType: 'AdverseEvent',
      actuality: 'potential',
      event: concept('Fall'),
      seriousness: concept('Serious'),
    },
    'Potential adverse event, which did not happen: Fall',
    'Seriousness: Serious',
  ],
  [
    {
      resourceType: 'AdverseEvent',
      actuality: 'actual',
      event: concept('Fall'),
      outcome: concept('Resolved'),
    },
    'Fall',
    'Outcome: Resolved',
  ],
  [
    {
      resourceType: 'List',
      mode: 'changes',
      title: 'Medications',
      entry: [{ deleted: true, item: { display: 'Warfarin' } }, { item: { display: 'Apixaban' } }],
    },
    'Changes: Medications',
    'taken off the list: Warfarin; Apixaban',
  ],
  [
    {
      resourceType: 'ImmunizationRecommendation',
      recommendation: [
        {
          vaccineCode: [concept('MMR')],
          forecastStatus: concept('contraindicated'),
          doseNumberPositiveInt: 2,
        },
      ],
    },
    'Immunization recommendation: MMR',
    'MMR: contraindicated, dose 2',
  ],
  [
    {
      resourceType: 'ImmunizationEvaluation',
      targetDisease: concept('Measles'),
      doseStatus: concept('Not valid'),
      doseStatusReason: [concept('Too early')],
    },
    'Immunization evaluation: Measles',
    'Not valid, Too early',
  ],
  [
    {
      resourceType: 'BodyStructure',
      active: false,
      morphology: concept('Mole'),
      location: concept('left arm'),
    },
    'Mole of left arm (no longer in use)',
    null,
  ],
  [
    { resourceType: 'Specimen', type: concept('Swab'), collection: { bodySite: concept('Throat') } },
    'Swab',
    'Throat',
  ],
  [{ resourceType: 'DeviceUseStatement', device: { display: 'Pacemaker' } }, 'Pacemaker', null],
];

function nutrition(more: object) {
  return { resourceType: 'NutritionOrder', ...more };
}

describe('an entry of another type', () => {
  for (const [resource, title, text] of RESOURCES)
    it(`is named by what it says: ${title} (${resource.resourceType})`, () => {
      const [entry] = buildEntries(resource, { resolve: () => null });
      assert.ok(entry && isRecordEntry(entry));
      assert.deepEqual({ title: entry.title, text: entry.detail.text }, { title, text });
    });

  it('has the status that its type has', () => {
    const statusOf = (resource: ParsedResource) => buildEntries(resource, { resolve: () => null })[0]?.status;
    assert.equal(
      statusOf({ resourceType: 'AppointmentResponse', participantStatus: 'declined' }),
      'declined',
    );
    assert.equal(statusOf({ resourceType: 'Goal', lifecycleStatus: 'active' }), 'active');
  });
});
