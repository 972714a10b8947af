import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { createChart, entry, type Chart } from '../../../../test/harness/chart.ts';
import { openTestStore } from '../../../../test/harness/store.ts';

const store = await openTestStore();
after(() => store.remove());

const fill = async (...entries: Parameters<Chart['add']>): Promise<Chart> => {
  const patient = await createChart(store.db);
  await patient.add(...entries);
  return patient;
};

/** The rows of an answer that begin with a name. */
const listRows = (text: string, name: string): string[] =>
  text.split('\n').filter((line) => line.startsWith(`| ${name}`));

const listSummaryRows = async (name: string, ...entries: Parameters<Chart['add']>): Promise<string[]> =>
  listRows(await (await fill(...entries)).callTool('get_health_summary'), name);

describe('a row of several records of an allergy', () => {
  const allergy = (dayText: string, detail: object, current = true) =>
    entry('allergy', 'Penicillin G', { current, dayText, detail });
  const severe = allergy('2010-01-01', { criticality: 'high', reactions: ['Anaphylaxis (severe)'] });
  const mild = allergy('2020-01-01', {
    criticality: 'low',
    reactions: ['Rash (mild)'],
    type: 'allergy',
    categories: ['medication'],
    note: 'Seen once, treated at home, no admission',
  });

  it('leads with the gravest, whatever else says more or is newer', async () => {
    for (const order of [
      [severe, mild],
      [mild, severe],
    ]) {
      const [row] = await listSummaryRows('Penicillin G', ...order);
      assert.match(
        row ?? '',
        /\| 2010-01-01 \(2 records, last 2020-01-01\) \| Anaphylaxis \(severe\); Rash \(mild\) \| high \(2010-01-01\); low \(2020-01-01\) \|/,
      );
      assert.match(
        row ?? '',
        order[0] === severe ? /AllergyIntolerance\/1 \(2\)/ : /AllergyIntolerance\/2 \(2\)/,
      );
    }
  });

  it('leads with a severe reaction where no criticality is recorded', async () => {
    const [row] = await listSummaryRows(
      'Penicillin G',
      allergy('2010-01-01', { reactions: ['Shock (severe)'] }),
      allergy('2020-01-01', { reactions: ['Rash (mild)'], note: 'Once' }),
    );
    assert.match(row ?? '', /\| Shock \(severe\); Rash \(mild\) \|.*AllergyIntolerance\/1 \(2\)/);
  });

  it('says what only one of them states with its day', async () => {
    const [row] = await listSummaryRows(
      'Penicillin G',
      severe,
      allergy('2020-01-01', { verification: 'unconfirmed' }),
    );
    assert.match(row ?? '', /\| high \(2010-01-01\) \| unconfirmed \(2020-01-01\) \|/);
  });

  it('counts what is in force, and names apart how many are not', async () => {
    const [row] = await listSummaryRows(
      'Penicillin G',
      severe,
      mild,
      allergy('2024-01-01', { clinicalStatus: 'inactive' }, false),
    );
    assert.match(
      row ?? '',
      /\(2 records, last 2020-01-01\).*also 1 record inactive \(2024-01-01\).*\(2\) \|$/,
    );
  });
});

describe('a row of several records of a condition', () => {
  const condition = (title: string, dayText: string, detail: object) =>
    entry('condition', title, { current: true, dayText, detail: { clinicalStatus: 'active', ...detail } });

  it('is about one part of the body', async () => {
    assert.deepEqual(
      (
        await listSummaryRows(
          'Breast cancer',
          condition('Breast cancer', '2015-05-01', { bodySite: 'Left breast', stage: 'stage I' }),
          condition('Breast cancer', '2024-05-03', { bodySite: 'Right breast', stage: 'stage IV' }),
        )
      ).map((row) => row.replace(/ \| Condition.*/, '')),
      [
        '| Breast cancer | 2024-05-03 | stage: stage IV; Right breast',
        '| Breast cancer | 2015-05-01 | stage: stage I; Left breast',
      ],
    );
  });

  it('is ruled out of the same part of the body, and not of another', async () => {
    const refuted = (dayText: string, detail: object = {}) =>
      entry('condition', 'Glaucoma', { dayText, detail: { verification: 'refuted', ...detail } });
    const eye = (bodySite: string, dayText: string) => condition('Glaucoma', dayText, { bodySite });
    for (const [denial, ruledOut] of [
      [refuted('2024-01-01', { bodySite: 'Left eye' }), ['Left eye']],
      [refuted('2024-01-01'), ['Left eye', 'Right eye']],
    ] as const) {
      const chart = await createChart(store.db);
      await chart.add(eye('Left eye', '2020-01-01'), eye('Right eye', '2020-01-02'), denial);
      for (const tool of ['get_health_summary', 'get_conditions'])
        for (const side of ['Left eye', 'Right eye'])
          assert.equal(
            /ruled out 2024-01-01/.test(
              (await chart.callTool(tool))
                .split('\n')
                .find((line) => / eye \|/.test(line) && line.includes(side)) ?? '',
            ),
            ruledOut.some((each) => each === side),
            `${tool}: ${side}`,
          );
    }
  });

  it('says with its day what not all of them say', async () => {
    const [row, ...others] = await listSummaryRows(
      'Asthma',
      condition('Asthma', '2015-05-01', { severity: 'mild', bodySite: 'Lung' }),
      condition('Asthma', '2024-05-03', {
        severity: 'severe',
        bodySite: 'lung',
        verification: 'provisional',
      }),
    );
    assert.equal(others.length, 0);
    assert.match(
      row ?? '',
      /\| 2015-05-01 \(2 records, last 2024-05-03\) \| provisional \(2024-05-03\); severe \(2024-05-03\); mild \(2015-05-01\); lung \|/,
    );
  });

  it('counts those of its heading, and those of another status apart', async () => {
    const over = (dayText: string | null, clinicalStatus: string | null) =>
      entry('condition', 'Ulcer', { dayText, detail: { clinicalStatus } });
    const rows = await listSummaryRows(
      'Ulcer',
      condition('Ulcer', '2024-05-03', {}),
      over('2011-01-02', 'resolved'),
      over('2012-01-02', 'resolved'),
      over(null, null),
    );
    assert.deepEqual(rows, [
      '| Ulcer | 2024-05-03 | also 2 records resolved (2011-01-02 to 2012-01-02), 1 record without a status | Condition/1 |',
    ]);
  });

  it('says from when until when those of another status were, where that is recorded', async () => {
    const over = (dayText: string | null, endText: string | null) =>
      entry('condition', 'Ulcer', { dayText, endText, detail: { clinicalStatus: 'resolved' } });
    for (const [others, said] of [
      [[over('2021-01-01', '2024-01-01')], '1 record resolved (2021-01-01 to 2024-01-01)'],
      [[over(null, '2024')], '1 record resolved (until 2024)'],
      [
        [over('2011-01-02', '2011-02-03'), over('2012-01-02', '2013-04')],
        '2 records resolved (2011-01-02 to 2013-04)',
      ],
    ] as const)
      assert.deepEqual(
        (await listSummaryRows('Ulcer', condition('Ulcer', '2025-05-03', {}), ...others)).map((row) =>
          row.replace(/ \| Condition.*/, ''),
        ),
        [`| Ulcer | 2025-05-03 | also ${said}`],
      );
  });

  it('gives no status to a record that has none', async () => {
    const text = await (
      await fill(
        entry('condition', 'Pneumonia', { dayText: '2012-08-06', detail: { clinicalStatus: 'resolved' } }),
        entry('condition', 'Pneumonia', { dayText: '2012-08-06', detail: { verification: 'provisional' } }),
      )
    ).callTool('get_health_summary');
    assert.match(
      text,
      /no status recorded \(1\):\n\n.*\n.*\n\| Pneumonia \| 2012-08-06 \| provisional \| Condition\/2 \|\n\nResolved or inactive \(1\).*\n\n.*\n.*\n\| Pneumonia \| 2012-08-06 \| resolved \| Condition\/1 \|/,
    );
  });

  it('names another part of the body under its own heading', async () => {
    const rows = await listSummaryRows(
      'Otitis',
      condition('Otitis', '2024-05-03', { bodySite: 'Left ear' }),
      entry('condition', 'Otitis', {
        dayText: '2011-01-02',
        detail: { clinicalStatus: 'resolved', bodySite: 'Right ear' },
      }),
    );
    assert.deepEqual(rows, [
      '| Otitis | 2024-05-03 | Left ear | Condition/1 |',
      '| Otitis (Right ear) | 2011-01-02 | resolved | Condition/2 |',
    ]);
  });
});

describe('a row of several orders of a drug', () => {
  const order = (dosage: string | null, dayText: string, rest: object = {}) =>
    entry('medication', 'Warfarin', {
      status: 'active',
      current: true,
      dayText,
      ...rest,
      detail: { dosage },
    });
  const bothTools = async (...entries: Parameters<Chart['add']>): Promise<string[]> => {
    const patient = await fill(...entries);
    return Promise.all(
      ['get_health_summary', 'get_medications'].map(
        async (tool) => listRows(await patient.callTool(tool), 'Warfarin')[0] ?? '',
      ),
    );
  };

  it('shows every dosage in force, and counts apart what is over', async () => {
    for (const row of await bothTools(
      order('5 mg every morning', '2025-05-01'),
      order('2 mg every evening', '2025-05-02'),
      order('7 mg daily', '2025-06-01', { status: 'stopped', current: false }),
    ))
      assert.match(
        row,
        /^\| Warfarin \| 2 orders, 2025-05-01 to 2025-05-02; past: 1 order, 2025-06-01.* \| 2 mg every evening \(2025-05-02\); 5 mg every morning \(2025-05-01\) \|.* MedicationRequest/,
      );
  });

  it('lends no dosage of what is over to what is in force', async () => {
    for (const row of await bothTools(
      order(null, '2025-05-01'),
      order('7 mg daily', '2024-06-01', { status: 'stopped', current: false }),
    ))
      assert.doesNotMatch(row, /7 mg/);
  });

  it('gives dosages of one day no day each, and says that not every order has one', async () => {
    const [both] = await bothTools(order('5 mg', '2025-05-01'), order('2 mg', '2025-05-01'));
    assert.match(both ?? '', /\| 2 orders, 2025-05-01 \| 2 mg; 5 mg \|/);
    const [one] = await bothTools(order('5 mg', '2025-05-01'), order(null, '2025-05-01'));
    assert.match(one ?? '', /\| 2 orders, 2025-05-01 \| 5 mg \(1 of 2 records\) \|/);
  });

  it('says a dosage of renewals once', async () => {
    for (const row of await bothTools(order('5 mg', '2025-05-01'), order('5 mg', '2025-08-01')))
      assert.match(row, /\| 2 orders, 2025-05-01 to 2025-08-01 \| 5 mg \|/);
  });

  it('counts an order that ended by its own dates as over', async () => {
    for (const row of await bothTools(
      order('5 mg', '2025-05-01'),
      order('9 mg', '2024-05-01', { endText: '2024-06' }),
    ))
      assert.match(row, /\| 2025-05-01; past: 1 order, 2024-05-01 to 2024-06 \| 5 mg \|/);
  });

  it('gives the dosage and the statuses of several that are over their days', async () => {
    const over = (dosage: string, dayText: string, status: string) =>
      order(dosage, dayText, { status, current: false });
    const [row] = await bothTools(
      over('5 mg', '2024-05-01', 'stopped'),
      over('9 mg', '2025-05-01', 'completed'),
    );
    assert.match(row ?? '', /\| 9 mg \(2025-05-01\) \| completed \(2025-05-01\); stopped \(2024-05-01\) \|/);
  });
});
