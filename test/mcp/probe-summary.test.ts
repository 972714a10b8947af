import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { startTestService } from '../harness/service.ts';
import {
  condition,
  inForce,
  lab,
  LIFE,
  loinc,
  openProbe,
  refer,
  snomed,
  visit,
  type Resource,
} from './probe.ts';

const social = (id: string, code: object, value: object, day: string): Resource => ({
  resourceType: 'Observation',
  id,
  status: 'final',
  effectiveDateTime: day,
  code,
  ...value,
  category: [
    {
      coding: [
        { system: 'http://terminology.hl7.org/CodeSystem/observation-category', code: 'social-history' },
      ],
    },
  ],
});

const service = await startTestService({ environment: { CHARTGATE_MCP_RATE_LIMIT: '100000' } });

describe('the summary and the windows of unusual records', () => {
  after(() => service.stop());

  it('leads an export without clinical statuses with what was treated, and how often', async () => {
    const stays = ['2024-01-01', '2024-03-01', '2024-05-01'].map((day, index) => visit(`e${index}`, day));
    const ask = await openProbe(
      service,
      ...stays,
      ...stays.map(({ id }, index) =>
        condition(
          `s${index}`,
          { coding: [snomed('91302008', 'Sepsis')] },
          { encounter: refer(`Encounter/${String(id)}`) },
        ),
      ),
      ...['Abrasion', 'Bunion', 'Callus'].map((name, index) =>
        condition(`x${index}`, name, { encounter: refer('Encounter/e0') }),
      ),
    );
    const { text } = await ask('get_health_summary');
    assert.match(text, /treated/i);
    assert.match(text, /Sepsis[^\n]*3/);
    assert.ok(text.indexOf('Sepsis') < text.indexOf('Abrasion') || !text.includes('Abrasion'), text);
    assert.doesNotMatch(text, /Active \(/);
  });

  it('shows all that is said of smoking by what may be as new, each once', async () => {
    const smoking = (id: string, value: string, day?: string): Resource => {
      const { effectiveDateTime: _day, ...undated } = social(
        id,
        { coding: [loinc('72166-2', 'Tobacco smoking status')] },
        { valueCodeableConcept: { text: value } },
        '',
      );
      return { ...undated, ...(day !== undefined && { effectiveDateTime: day }) };
    };
    const list = async (...findings: Resource[]) =>
      [
        ...(await (await openProbe(service, ...findings))('get_health_summary')).text.matchAll(
          /^\| Tobacco smoking status \| ([^|]*) \|/gm,
        ),
      ].map(([, value]) => value);
    const [smoker, never] = ['Smoker, current status unknown', 'Never smoker'];
    assert.deepEqual(
      new Set(await list(smoking('a', smoker), smoking('b', never), smoking('c', smoker))),
      new Set([never, smoker]),
    );
    assert.deepEqual(
      await list(smoking('a', smoker, '2024-01-01'), smoking('b', never, '2024-01-01T10:00:00Z')),
      [never, smoker],
    );
    assert.deepEqual(await list(smoking('a', smoker, '2020-01-01'), smoking('b', never, '2024-01-01')), [
      never,
    ]);
    assert.deepEqual(await list(smoking('a', smoker, '2020-01-01'), smoking('b', never)), [smoker, never]);
  });

  it('says of a device whose use is over when that was, and shows what was detected with what it is between', async () => {
    const pump: Resource = {
      resourceType: 'Device',
      id: 'd',
      status: 'active',
      type: { text: 'Insulin pump' },
    };
    const use = (id: string, end: string, status: string): Resource => ({
      resourceType: 'DeviceUseStatement',
      id,
      status,
      device: refer('Device/d'),
      timingPeriod: { start: '2010-01-01', end },
    });
    const drug: Resource = {
      resourceType: 'MedicationStatement',
      id: 'm',
      status: 'active',
      medicationCodeableConcept: { text: 'Apixaban' },
    };
    const issue: Resource = {
      resourceType: 'DetectedIssue',
      id: 'i',
      status: 'final',
      code: { text: 'Interaction' },
      implicated: [refer('MedicationStatement/m')],
    };
    const ask = await openProbe(service, pump, use('u', '2022-01-01', 'active'), drug, issue);
    const summary = await ask('get_health_summary');
    summary.says('Insulin pump', 'use ended 2022-01-01', 'DeviceUseStatement/u');
    assert.equal(summary.text.match(/\| Device \|/g)?.length, 1);
    (await ask('get_other_records', { kind: 'other' })).says('Interaction', 'Apixaban');
    const used = await openProbe(
      service,
      pump,
      use('u', '2022-01-01', 'completed'),
      use('v', '2100-01-01', 'active'),
    );
    assert.doesNotMatch((await used('get_health_summary')).text, /use (ended|completed)/);
  });

  it('shows latest abnormal results, smoking, pregnancy and devices', async () => {
    const ask = await openProbe(
      service,
      lab('k', 'Potassium', {
        valueQuantity: { value: 6.9, unit: 'mmol/L' },
        interpretation: [{ coding: [{ code: 'HH' }] }],
      }),
      lab('na', 'Sodium', {
        valueQuantity: { value: 140, unit: 'mmol/L' },
        interpretation: [{ coding: [{ code: 'N' }] }],
      }),
      social(
        'smoke',
        { coding: [loinc('72166-2', 'Tobacco smoking status')] },
        { valueCodeableConcept: { coding: [snomed('8517006', 'Ex-smoker')] } },
        '2024-01-05',
      ),
      social(
        'preg',
        { coding: [loinc('82810-3', 'Pregnancy status')] },
        { valueCodeableConcept: { coding: [snomed('77386006', 'Pregnant')] } },
        '2024-01-05',
      ),
      { resourceType: 'Device', id: 'pace', status: 'active', type: { text: 'Cardiac pacemaker' } },
    );
    const summary = await ask('get_health_summary');
    summary.says('Potassium', '6.9');
    summary.saysNot('Sodium', '140');
    summary.says('Ex-smoker');
    summary.says('Pregnant');
    summary.says('Cardiac pacemaker');
  });

  it('counts every kind that the record holds, those without a tool of their own included', async () => {
    const ask = await openProbe(
      service,
      {
        resourceType: 'CarePlan',
        id: 'cp',
        status: 'active',
        intent: 'plan',
        title: 'Diabetes self management',
        period: { start: '2024-01-01' },
      },
      {
        resourceType: 'Goal',
        id: 'g',
        lifecycleStatus: 'active',
        description: { text: 'Walk daily' },
        startDate: '2024-01-01',
      },
      {
        resourceType: 'FamilyMemberHistory',
        id: 'f',
        status: 'completed',
        relationship: { text: 'Mother' },
        condition: [{ code: { text: 'Breast cancer' } }],
      },
      {
        resourceType: 'Claim',
        id: 'cl',
        status: 'active',
        use: 'claim',
        type: { text: 'Pharmacy' },
        created: '2024-01-01',
      },
    );
    const { text } = await ask('get_health_summary');
    for (const kind of [/care plan/i, /goal/i, /family/i, /claim|other/i]) assert.match(text, kind);
    assert.match(text, /get_other_records/);
    (await ask('get_other_records', { kind: 'family_history', ...LIFE })).says('Mother', 'Breast cancer');
    (await ask('get_other_records', { kind: 'goal', ...LIFE })).says('Walk daily');
    (await ask('get_other_records', { kind: 'care_plan', ...LIFE })).says('Diabetes self management');
    (await ask('get_other_records')).says('goal', '1');
  });

  it('shows an immunization without a date as undated, and one not given as not given', async () => {
    const ask = await openProbe(
      service,
      {
        resourceType: 'Immunization',
        id: 'a',
        status: 'completed',
        vaccineCode: { text: 'Tetanus' },
        occurrenceString: 'in childhood',
      },
      {
        resourceType: 'Immunization',
        id: 'b',
        status: 'not-done',
        vaccineCode: { text: 'Influenza' },
        occurrenceDateTime: '2023-10-01',
        statusReason: { text: 'Patient refused' },
      },
    );
    const text = await ask('get_immunizations', LIFE);
    text.says('Tetanus', 'in childhood');
    text.says('Influenza', 'Patient refused');
    text.saysNot('Given', 'Influenza', 'Patient refused', '1 of');
    text.matches(/not given|not done/i);
  });

  it('ends the default window at the newest day of a record whose dates are shifted ahead', async () => {
    const ask = await openProbe(
      service,
      visit('e', '2180-05-06'),
      lab('old', 'Glucose', {
        effectiveDateTime: '2150-01-01',
        valueQuantity: { value: 5.1, unit: 'mmol/L' },
      }),
      lab('new', 'Lactate', {
        effectiveDateTime: '2180-05-06',
        valueQuantity: { value: 4.2, unit: 'mmol/L' },
      }),
    );
    const text = await ask('get_labs');
    text.says('2180-05-06', 'Lactate');
    text.saysNot('Glucose');
    text.matches(
      /hasMoreData: true \| dateRange: 2177-\d\d-\d\d to 2180-05-06 \| nextBeforeDate: 2150-01-02$/,
    );
  });

  it('says of an empty window what lies outside of it, before and after', async () => {
    const ask = await openProbe(
      service,
      lab('old', 'Glucose', {
        effectiveDateTime: '1990-01-01',
        valueQuantity: { value: 5.1, unit: 'mmol/L' },
      }),
      lab('new', 'Glucose', {
        effectiveDateTime: '2024-05-06',
        valueQuantity: { value: 5.3, unit: 'mmol/L' },
      }),
    );
    const text = await ask('get_labs', { years: 2, beforeDate: '2010-01-01' });
    text.matches(/1990-01-01/);
    text.matches(/2024-05-06/);
  });

  it('says nowhere of a letter that an illness was missing', async () => {
    const ask = await openProbe(
      service,
      condition('c', 'Asthma', { ...inForce, onsetDateTime: '2020-01-01' }),
    );
    for (const [tool, input] of [
      ['search', { query: 'porphyria' }],
      ['get_conditions', LIFE],
    ] as const)
      assert.doesNotMatch((await ask(tool, input)).text, /nowhere/i);
  });
});
