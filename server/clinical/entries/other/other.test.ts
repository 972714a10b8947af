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
  [
    relative('Sister', {
      deceasedRange: { low: years(50), high: years(55) },
      estimatedAge: true,
      bornString: 'in the fifties',
      condition: [
        {
          code: concept('Huntington disease'),
          onsetPeriod: { start: '1990', end: '1992' },
          note: [{ text: 'suspected only' }, { text: 'gene test negative' }],
        },
        {
          code: concept('Stroke'),
          onsetRange: { low: years(40) },
          contributedToDeath: true,
          outcome: concept('Hemiplegia'),
        },
        { note: [{ text: 'a heart defect?' }] },
      ],
      note: [{ text: 'told by the mother' }],
    }),
    'Family history: Sister',
    'Huntington disease, from 1990 to 1992 (suspected only; gene test negative); Stroke, age ≥ 40 years, contributed to death, outcome: Hemiplegia; a heart defect?; Deceased at 50 to 55 years (estimated); Born in the fifties; told by the mother',
  ],
  [
    relative('Father', { deceasedDate: '1999-05', bornDate: '1941' }),
    'Family history: Father',
    'Deceased 1999-05; Born 1941',
  ],
  [
    relative('Brother', { deceasedString: 'died young of heart attack' }),
    'Family history: Brother',
    'Deceased: died young of heart attack',
  ],
  [
    relative('Mother', { deceasedBoolean: false, ageAge: years(81), estimatedAge: true }),
    'Family history: Mother',
    'Living; Age 81 years (estimated)',
  ],
  [relative('Uncle', { deceasedAge: years(60) }), 'Family history: Uncle', 'Deceased at 60 years'],
  [
    relative('Grandmother', {
      dataAbsentReason: concept('Subject Unknown'),
      ageRange: { low: years(80), high: years(90) },
      bornPeriod: { start: '1930', end: '1940' },
    }),
    'Family history: Grandmother',
    'No history: Subject Unknown; Age 80 to 90 years; Born 1930 to 1940',
  ],
  [{ resourceType: 'DeviceUseStatement', device: { display: 'Pacemaker' } }, 'Pacemaker', null],
  [
    {
      resourceType: 'Device',
      type: concept('Cochlear implant'),
      safety: [concept('MR Unsafe')],
      lotNumber: '7',
    },
    'Cochlear implant',
    'Safety: MR Unsafe; lot 7',
  ],
  [
    {
      resourceType: 'CareTeam',
      participant: [
        { role: [concept('Surgeon')], member: { display: 'Dr. A' }, period: { end: '2021-05-05T10:00:00Z' } },
        {
          role: [concept('Nurse')],
          member: { display: 'B' },
          period: { start: '2019-01-01', end: '2020-02-02' },
        },
        { member: { display: 'C' }, period: { start: '2019-01-01' } },
      ],
    },
    'Care team',
    'Surgeon: Dr. A (until 2021-05-05)\nNurse: B (2019-01-01 to 2020-02-02)\nC',
  ],
  [
    {
      resourceType: 'Consent',
      category: [concept('Advance directive')],
      scope: concept('adr'),
      provision: {
        type: 'deny',
        code: [concept('Cardiopulmonary resuscitation')],
        provision: [{ type: 'permit', code: [concept('Antibiotics')], period: { end: '2027-01-01' } }],
      },
    },
    'Advance directive',
    'Advance care directive\nRefused: Cardiopulmonary resuscitation\nPermitted: Antibiotics, until 2027-01-01',
  ],
  [
    {
      resourceType: 'ClinicalImpression',
      finding: [{ itemCodeableConcept: concept('Myasthenia gravis'), basis: 'ptosis' }],
      prognosisCodeableConcept: [concept('Guarded')],
    },
    'Clinical impression: Myasthenia gravis (ptosis)',
    'Findings: Myasthenia gravis (ptosis)\nPrognosis: Guarded',
  ],
  [
    imaging({ code: 'MR' }, { code: 'MR' }),
    'MRI (magnetic resonance imaging), Brain',
    'MRI (magnetic resonance imaging), Brain',
  ],
  [
    imaging({ code: 'MR', display: 'Magnetic Resonance' }, { code: 'MR' }),
    'Magnetic Resonance, Brain',
    'Magnetic Resonance, Brain',
  ],
  [imaging({ code: 'XA', display: 'XA' }, undefined), 'X-ray angiography, Brain', 'X-ray angiography, Brain'],
  [{ resourceType: 'ImagingStudy', modality: [{ code: 'PT' }] }, 'PET (positron emission tomography)', null],
];

function imaging(modality: object, ofSeries: object | undefined) {
  return {
    resourceType: 'ImagingStudy',
    modality: [modality],
    series: [{ modality: ofSeries, bodySite: { display: 'Brain' } }],
  };
}

function relative(relationship: string, more: object) {
  return { resourceType: 'FamilyMemberHistory', relationship: concept(relationship), ...more };
}

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

  it('has the days of the use of a device, and of what was detected', () => {
    const readDays = (resource: ParsedResource) => {
      const [entry] = buildEntries(resource, { resolve: () => null });
      return [entry?.dayText, entry?.endText];
    };
    assert.deepEqual(
      readDays({
        resourceType: 'DeviceUseStatement',
        timingPeriod: { start: '2010-01-01', end: '2022-01-01' },
      }),
      ['2010-01-01', '2022-01-01'],
    );
    assert.deepEqual(readDays({ resourceType: 'DetectedIssue', identifiedDateTime: '2026-05-01' }), [
      '2026-05-01',
      null,
    ]);
  });

  it('refers to what an issue is between', () => {
    const [entry] = buildEntries(
      { resourceType: 'DetectedIssue', implicated: [{ reference: 'MedicationRequest/m1' }] },
      { resolve: () => null },
    );
    assert.deepEqual(entry?.links, [{ role: 'reason', target: 'MedicationRequest/m1' }]);
  });

  it('has the status that its type has', () => {
    const readStatus = (resource: ParsedResource) =>
      buildEntries(resource, { resolve: () => null })[0]?.status;
    assert.equal(
      readStatus({ resourceType: 'AppointmentResponse', participantStatus: 'declined' }),
      'declined',
    );
    assert.equal(readStatus({ resourceType: 'Goal', lifecycleStatus: 'active' }), 'active');
  });
});
