import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { createChart, entry, measure, type Chart } from '../../../../test/harness/chart.ts';
import { openTestStore } from '../../../../test/harness/store.ts';
import { sql } from '../../../platform/db/sql.ts';

const store = await openTestStore();
after(() => store.remove());

const renderSummary = async (...entries: Parameters<Chart['add']>): Promise<string> => {
  const patient = await createChart(store.db);
  await patient.add(...entries);
  return patient.callTool('get_health_summary');
};

/** A Patient resource as an upload stores it. */
async function person({ patientId }: Chart, seq: number, body: string, display: string): Promise<void> {
  const id = `p${seq}`;
  await store.db.query(sql`
    insert into resource (patient_id, seq, resource_type, fhir_id, origin, source_id, category, body, source_hash, display,
      last_updated, first_batch_id, last_batch_id, document_path)
    values (${patientId}, ${seq}, 'Patient', ${id}, '', ${id}, 'DEMOGRAPHICS', ${body}, '\\x00', ${display}, now(),
      ${patientId}, ${patientId}, 'record.json')`);
}

const check = entry('visit', 'Check-up', { dayText: '2025-01-01' });
const header = (text: string): string | undefined => text.split('\n')[2];

describe('the head of the summary', () => {
  it('names the patient as recorded', async () => {
    const patient = await createChart(store.db);
    await patient.add(check);
    await person(patient, 50, '{"birthDate":"1987-02","gender":"female"}', 'Amy *V.* Shaw');
    const text = await patient.callTool('get_health_summary');
    assert.equal(header(text), 'Amy \\*V.\\* Shaw, born 1987-02, sex as recorded: female.');
  });

  it('shows contradictions side by side and equal values once', async () => {
    const patient = await createChart(store.db);
    await patient.add(check);
    await person(patient, 50, '{"birthDate":"1987-02-20","gender":"female"}', 'Amy Shaw');
    await person(patient, 51, '{"birthDate":"1987-02-21","gender":"female"}', 'Amy Shaw');
    assert.equal(
      header(await patient.callTool('get_health_summary')),
      'Amy Shaw, sex as recorded: female. Two birth dates are recorded: 1987-02-20; 1987-02-21.',
    );
  });

  it('reads escapes that the database refuses, and leaves out what is not recorded', async () => {
    const patient = await createChart(store.db);
    await patient.add(check);
    const body = '{"a":"\\u0000 \\ud83d \\\\ud83d","birthDate":"1950-01-01"}';
    await person(patient, 50, body, 'Jo');
    assert.equal(header(await patient.callTool('get_health_summary')), 'Jo, born 1950-01-01.');
  });

  it('is left out when the record has no Patient resource', async () => {
    assert.match(header(await renderSummary(check)) ?? '', /^1 entry, 2025-01-01/);
  });
});

describe('medications in the summary', () => {
  const drug = { groupKey: 'rxnorm|311376' };
  const order = { ...drug, status: 'completed' };

  it('count orders, and dispenses apart', async () => {
    const text = await renderSummary(
      entry('medication', 'Nizatidine', { ...drug, status: 'active', current: true, dayText: '2018-04-05' }),
      entry('medication', 'Nizatidine', {
        ...drug,
        reference: 'MedicationDispense/2',
        dayText: '2026-12-08',
        status: 'completed',
        detail: { resource: 'MedicationDispense', intent: null },
      }),
    );
    assert.match(text, /\| Nizatidine \| 2018-04-05 \|/);
    assert.doesNotMatch(text, /orders/);
    assert.match(text, /^Also recorded: 1 dispensed, see `get_medications`\.$/m);
  });

  it('count no dispense that was declined as dispensed', async () => {
    const text = await renderSummary(
      entry('medication', 'Nizatidine', {
        ...drug,
        dayText: '2026-12-08',
        status: 'declined',
        detail: { resource: 'MedicationDispense', intent: null },
      }),
    );
    assert.doesNotMatch(text, /1 dispensed/);
    assert.match(text, /\| Nizatidine \| 2026-12-08 \| declined \|/);
  });

  it('show a finished order although its dispense is newer', async () => {
    const text = await renderSummary(
      entry('medication', 'Nizatidine', { ...order, dayText: '2020-01-01' }),
      entry('medication', 'Nizatidine', {
        ...order,
        dayText: '2020-01-02',
        detail: { resource: 'MedicationDispense', intent: null },
      }),
    );
    assert.match(text, /\| Nizatidine \| 2020-01-01 \|/);
  });

  it('count orders and statements of one drug by their names', async () => {
    const text = await renderSummary(
      entry('medication', 'Aspirin', { ...drug, status: 'active', current: true, dayText: '2025-01-01' }),
      entry('medication', 'Aspirin', { ...order, dayText: '2024-01-01' }),
      entry('medication', 'Aspirin', {
        ...order,
        dayText: '2023-01-01',
        detail: { resource: 'MedicationStatement', intent: null },
      }),
    );
    assert.match(text, /\| Aspirin \| 2025-01-01; past: 1 order, 1 statement, 2023-01-01 to 2024-01-01 \|/);
  });

  it('have the headings of get_medications: a plan is not past', async () => {
    const patient = await createChart(store.db);
    await patient.add(
      entry('medication', 'Medication request without a name', {
        dayText: '2025-11-11',
        status: 'active',
        detail: { intent: 'plan' },
      }),
    );
    const text = await patient.callTool('get_health_summary');
    assert.doesNotMatch(text, /without a name/);
    assert.match(text, /^Also recorded: 1 planned or proposed, see/m);
    assert.match(await patient.callTool('get_medications'), /## Planned or proposed \(1\)/);
  });

  it('are not current after their own end date', async () => {
    const patient = await createChart(store.db);
    const statement = { resource: 'MedicationStatement', intent: null } as const;
    const active = { status: 'active', current: true, detail: statement };
    await patient.add(
      entry('medication', 'Paracetamol', { ...active, dayText: '2020-01-01', endText: '2020-02-01' }),
      entry('medication', 'Ramipril', { ...active, dayText: '2020-01-01', endText: '2026' }),
    );
    const summary = await patient.callTool('get_health_summary');
    assert.match(summary, /Current \(1\):[^]*Ramipril[^]*No longer current[^]*Paracetamol/);
    for (const text of [summary, await patient.callTool('get_medications')])
      assert.match(
        text,
        /Paracetamol \| 2020-01-01 to 2020-02-01 \| active, but ended 2020-02-01 by its own dates \|/,
      );
    assert.match(await patient.callTool('get_medications'), /## Current \(1\)[^]*Ramipril[^]*## Past \(1\)/);
  });

  it('of a status that is none of FHIR’s are of no known status, which is shown as written', async () => {
    const patient = await createChart(store.db);
    await patient.add(
      entry('medication', 'Ramipril', { status: 'see letter', dayText: '2020-01-01' }),
      entry('medication', 'Bisoprolol', { status: 'cancelled', dayText: '2020-01-01' }),
      entry('medication', 'Heparin', {
        dayText: '2020-01-01',
        detail: { resource: 'MedicationAdministration' },
      }),
    );
    const text = await patient.callTool('get_medications', { years: 20 });
    assert.match(text, /## Past \(1\)[^#]*Bisoprolol[^#]*## Status not recorded \(1\)[^#]*Ramipril/);
    assert.match(text, /Ramipril[^#\n]*see letter/);
    assert.match(text, /## Given \(1\)[^#]*Heparin[^#\n]*status not recorded/);
  });

  it('that must not be given have a heading of their own', async () => {
    const text = await renderSummary(
      entry('medication', 'Do not give: Ibuprofen', {
        groupKey: 'not:x',
        status: 'active',
        dayText: '2020-01-01',
      }),
    );
    assert.match(text, /^Not to be given \(1\):\n\n.*\n.*\n\| Do not give: Ibuprofen/m);
  });
});

describe('an entry that nobody closed', () => {
  const active = { current: true, detail: { clinicalStatus: 'active' } } as const;

  it('is marked when its last record is more than ten years old', async () => {
    const patient = await createChart(store.db);
    await patient.add(
      entry('condition', 'Asthma', { ...active, dayText: '1972-11-16' }),
      entry('condition', 'Gout', { ...active, dayText: '1980-01-01' }),
      entry('condition', 'Gout', { dayText: '1999-05-05', detail: { clinicalStatus: 'resolved' } }),
      entry('condition', 'Migraine', { ...active, dayText: '1990-01-01' }),
      entry('condition', 'Migraine', { dayText: '2019-05-05', detail: { clinicalStatus: 'resolved' } }),
      entry('medication', 'Digoxin', { current: true, status: 'active', dayText: '2001' }),
    );
    const summary = await patient.callTool('get_health_summary');
    assert.match(summary, /\| Asthma \| 1972-11-16† \|/);
    assert.match(
      summary,
      /\| Gout \| 1980-01-01 \(last noted 1999-05-05\)† \| also 1 record resolved \(1999-05-05\) \|/,
    );
    assert.match(summary, /\| Migraine \| 1990-01-01 \| also 1 record resolved \(2019-05-05\) \|/);
    assert.match(summary, /\| Digoxin \| 2001† \|/);
    assert.equal(summary.match(/it may go on, or nobody closed it/g)?.length, 1);
    const conditions = await patient.callTool('get_conditions');
    assert.match(conditions, /\| Asthma \| 1972-11-16‡† \|/);
    assert.match(conditions, /\| Gout \| 1980-01-01‡ \(last noted 1999-05-05\)† \|/);
    assert.match(conditions, /\| Migraine \| 1990-01-01‡ \|/);
    assert.match(await patient.callTool('get_medications'), /\| Digoxin \| 2001‡† \|/);
  });

  it('is confirmed by no record that denies it, and says that there is one', async () => {
    const patient = await createChart(store.db);
    const refuted = { clinicalStatus: null, verification: 'refuted' };
    await patient.add(
      entry('condition', 'Asthma', { ...active, dayText: '2005-01-01' }),
      entry('condition', 'Asthma', { dayText: '2022-01-01', detail: refuted }),
      entry('condition', 'Gout', { dayText: '2022-01-01', detail: refuted }),
      entry('allergy', 'Peanut', { current: true, dayText: '2005-01-01' }),
      entry('allergy', 'Peanut', { dayText: '2022-01-01', detail: refuted }),
      entry('medication', 'Digoxin', { current: true, status: 'active', dayText: '2005-01-01' }),
      entry('medication', 'Digoxin', {
        reference: 'MedicationStatement/7',
        status: 'not-taken',
        dayText: '2022-01-01',
        detail: { resource: 'MedicationStatement', intent: null },
      }),
    );
    const summary = await patient.callTool('get_health_summary');
    assert.match(
      summary,
      /\| Asthma \| 2005-01-01† \| ruled out 2022-01-01 \(Condition\/2\) \| Condition\/1 \|/,
    );
    assert.match(summary, /^2 conditions ruled out: see `get_conditions`\.$/m);
    assert.match(summary, /\| Peanut \| 2005-01-01 \|.* ruled out 2022-01-01 \(AllergyIntolerance\/5\) \|/);
    assert.match(summary, /^1 inactive, resolved or refuted allergy: see/m);
    assert.match(
      summary,
      /later stopped or held \(1\):[^#]*\| Digoxin \| 2005-01-01; active in the record, but the later statement of 2022-01-01 says that it is not taken \(MedicationStatement\/7\) \|/,
    );
    assert.match(
      await patient.callTool('get_conditions'),
      /\| Asthma \| 2005-01-01‡† \| ruled out 2022-01-01 \|/,
    );
    assert.match(
      await patient.callTool('get_medications'),
      /\| Digoxin \| 2005-01-01‡† \| active in the record, but the later statement of 2022-01-01 says that it is not taken \(MedicationStatement\/7\) \|/,
    );
  });

  it('is not shown once more as treated, in the words under which it is active', async () => {
    const text = await renderSummary(
      entry('condition', 'Asthma', { ...active, dayText: '2024-01-01', groupKey: 'coded' }),
      entry('condition', 'asthma', { dayText: '2023-01-01', groupKey: 'of a visit' }),
      entry('condition', 'Sprain', { dayText: '2023-01-01' }),
    );
    assert.match(text, /no status recorded \(1\):/);
    assert.match(text, /\| Sprain \|/);
    assert.doesNotMatch(text, /\| asthma \|/);
  });

  it('is shown with the end date that it has', async () => {
    const text = await renderSummary(
      entry('condition', 'Sprain', { ...active, dayText: '2024-01-01', endText: '2024-02-01' }),
    );
    assert.match(text, /\| Sprain \| 2024-01-01 \| recorded as ended 2024-02-01 \|/);
  });
});

describe('the rest of the summary', () => {
  it('states how many entries have a date', async () => {
    const text = await renderSummary(
      entry('visit', 'Office visit', { dayText: '2015-11-01' }),
      entry('visit', 'Delivery'),
      entry('visit', 'Stay'),
      entry('procedure', 'Suture'),
    );
    assert.match(text, /^- 3 visits, 1 of them dated \(2015-11-01\): /m);
    assert.match(text, /^- 1 procedure, no date: /m);
  });

  it('gives the days of a range in the precision of the record', async () => {
    const patient = await createChart(store.db);
    await patient.add(
      entry('lab', 'Sodium', { dayText: '1985', detail: { value: '140' } }),
      entry('lab', 'Sodium', { dayText: '2024-01', detail: { value: '141' } }),
      entry('goal', 'Goal: walk', { dayText: '2001-02' }),
      entry('goal', 'Goal: run', { dayText: '2001-02-01' }),
      entry('goal', 'Goal: rest', { dayText: '2001-03-01' }),
    );
    const text = await patient.callTool('get_health_summary');
    assert.match(text, /^5 entries, 1985 to 2024-01\.$/m);
    assert.match(text, /^- 2 laboratory results, 1985 to 2024-01: /m);
    assert.match(
      await patient.callTool('get_other_records'),
      /^- `goal`: 3 goals, 2001-02-01 to 2001-03-01$/m,
    );
    assert.match(
      await patient.callTool('get_labs', { beforeDate: '1980-01-01' }),
      /Of other dates it holds 2, 1985 to 2024-01\./,
    );
  });

  it('counts all of 600 allergies, and lists first what may be grave', async () => {
    const text = await renderSummary(
      ...Array.from({ length: 600 }, (_, n) =>
        entry('allergy', `Pollen ${n}`, {
          current: true,
          dayText: `20${String(10 + (n % 15))}`,
          detail: { clinicalStatus: 'active', criticality: n % 100 === 0 ? 'high' : 'low' },
        }),
      ),
    );
    const rows = text.split('\n').filter((line) => line.startsWith('| Pollen'));
    assert.deepEqual(
      rows.map((row) => row.includes('| high |')),
      Array.from({ length: 25 }, (_, index) => index < 6),
    );
    assert.match(text, /^… and 575 more, see `get_allergies`\.$/m);
  });

  it('gives a statement without a date no date', async () => {
    const text = await renderSummary(
      entry('condition', 'No information about problems', { detail: { none: true } }),
      entry('medication', 'No known medications', { dayText: '2020-03-01', detail: { none: true } }),
    );
    assert.match(text, /^Stated: No information about problems, Condition\/1\.$/m);
    assert.match(text, /^Stated: No known medications \(stated 2020-03-01\), MedicationRequest\/2\.$/m);
  });
});

describe('results in the summary', () => {
  const rate = (value: string, dayText: string, status: string) =>
    entry('vital', 'Heart rate', {
      dayText,
      status,
      detail: { vital: 'Heart Rate', value, unit: '/min' },
    });
  const potassium = (value: string, dayText: string, status: string) =>
    entry('lab', 'Potassium', { dayText, status, detail: { value, unit: 'mmol/L', flag: 'high' } });

  it('are the latest of what is not cancelled, with an unusual status', async () => {
    const text = await renderSummary(
      rate('199', '2024-02-01', 'cancelled'),
      rate('70', '2024-01-01', 'preliminary'),
      rate('64', '2023-01-01', 'unknown'),
      rate('60', '2022-01-01', 'amended'),
      potassium('9.9', '2024-02-01', 'cancelled'),
      potassium('6.1', '2024-01-01', 'unknown'),
    );
    assert.match(
      text,
      /\| Heart Rate \| 70 \/min \(preliminary\) \| 2024-01-01 \| 64 \(2023-01-01; status unknown\), 60 \(2022-01-01; amended\) \|/,
    );
    assert.match(
      text,
      /\| Potassium \| 6\.1 mmol\/L \(status unknown\); later, 2024-02-01: cancelled \(Observation\/5\) \|/,
    );
    assert.doesNotMatch(text, /199|9\.9/);
  });

  it('are the last with a value, and name what came later without one', async () => {
    const hemolyzed = (dayText: string, time: string | null = null) =>
      entry('lab', 'Potassium', { dayText, time, detail: { absent: 'Hemolyzed' } });
    const abnormal = /\| Potassium \| 6\.8 mmol\/L; later, ([^|]*) \| 2026-09-01/;
    const [, another] = abnormal.exec(
      await renderSummary(
        entry('lab', 'Sodium', { dayText: '2026-09-03', detail: { value: '140' } }),
        potassium('6.8', '2026-09-01', 'final'),
        hemolyzed('2026-09-02'),
        hemolyzed('2026-09-03'),
      ),
    ) ?? [''];
    assert.equal(another, '2026-09-03: no value: Hemolyzed (Observation/4)');
    const [, later] = abnormal.exec(
      await renderSummary(
        { ...potassium('6.8', '2026-09-01', 'final'), time: '08:00' },
        hemolyzed('2026-09-01', '10:00'),
      ),
    ) ?? [''];
    assert.equal(later, '2026-09-01 10:00: no value: Hemolyzed (Observation/2)');
    const normal = entry('lab', 'Potassium', { dayText: '2026-09-02', detail: { value: '4.1' } });
    assert.doesNotMatch(
      await renderSummary(potassium('6.8', '2026-09-01', 'final'), normal, hemolyzed('2026-09-03')),
      /Potassium/,
    );
  });

  it('are of smoking and pregnancy the last that says something', async () => {
    const answer = (code: string, dayText: string, detail: object) =>
      entry('social_history', code === '72166-2' ? 'Smoking' : 'Pregnancy', {
        code: `http://loinc.org|${code}`,
        dayText,
        detail,
      });
    const text = await renderSummary(
      answer('72166-2', '2025-01-01', { value: 'Heavy smoker' }),
      answer('72166-2', '2026-01-01', { absent: 'Not asked' }),
      answer('72166-2', '2026-02-01', { value: 'Unknown if ever smoked' }),
      answer('82810-3', '2026-03-01', { absent: 'not asked' }),
    );
    assert.match(
      text,
      /\| Smoking \| Heavy smoker; later, 2026-02-01: Unknown if ever smoked \(Observation\/3\) \| 2025-01-01/,
    );
    assert.match(text, /\| Pregnancy \| no value: not asked \| 2026-03-01/);
  });

  it('stand side by side where sources disagree about them', async () => {
    const a1c = (value: string, documentPath: string) => ({
      ...entry('lab', 'Hemoglobin A1c', {
        organization: null,
        dayText: '2024-01-01',
        detail: { value, unit: '%', flag: 'high' },
      }),
      documentPath,
    });
    assert.match(
      await renderSummary(a1c('10', 'a.json'), a1c('8', 'b.json')),
      /^## Sources disagree\n[^]*^- Hemoglobin A1c, 2024-01-01: (?=.*10 % \(a\.json)(?=.*8 % \(b\.json)/m,
    );
  });
});

describe('the latest vital signs', () => {
  const pressure = (code: string, dayText: string, detail: object) =>
    entry('vital', 'Blood pressure', {
      code: `http://loinc.org|${code}`,
      dayText,
      detail: { vital: 'Blood Pressure', ...detail },
    });
  const both = (systolic: string | null) => ({
    components: [
      {
        ...measure('Systolic', systolic ?? '', 'mm[Hg]'),
        value: systolic,
        absent: systolic === null ? 'unknown' : null,
      },
      measure('Diastolic', '72', 'mm[Hg]'),
    ],
  });
  const count = { ...measure('Number of measurements', '3', '#'), code: 'http://snomed.info/sct|246432004' };
  const average = pressure('96607-7', '2023-08-03', { components: [...both('109').components, count] });

  it('show measurements before averages, and the average that is newer beside the latest one', async () => {
    const text = await renderSummary(average, pressure('85354-9', '1999-07-02', both('120')));
    assert.match(
      text,
      /\| Blood Pressure \| 120\/72 mm\[Hg\]; newer average of 3 measurements: 109\/72 mm\[Hg\] \(2023-08-03, Observation\/1\) \| 1999-07-02 \|/,
    );
    assert.doesNotMatch(
      await renderSummary(average, pressure('85354-9', '2023-08-03', both('120'))),
      /newer/,
    );
    const half = (code: string, title: string, value: string) =>
      entry('vital', title, {
        code: `http://loinc.org|${code}`,
        dayText: '2024-01-01',
        detail: { vital: 'Blood Pressure', value, unit: 'mm[Hg]' },
      });
    assert.match(
      await renderSummary(
        half('96608-5', 'Systolic mean', '168'),
        half('96609-3', 'Diastolic mean', '104'),
        pressure('85354-9', '1999-07-02', both('120')),
      ),
      /newer average: Diastolic mean: 104 mm\[Hg\] \(2024-01-01, Observation\/2\); newer average: Systolic mean: 168/,
    );
    assert.match(
      await renderSummary(average),
      /\| Blood Pressure \| average of 3 measurements: 109\/72 mm\[Hg\] \| 2023-08-03 \|/,
    );
  });

  it('show complete measurements before partial ones of the same day', async () => {
    const text = await renderSummary(
      pressure('85354-9', '1999-07-02', both('109')),
      pressure('85354-9', '1999-07-02', both(null)),
    );
    assert.match(text, /\| 109\/72 mm\[Hg\] \| 1999-07-02 \| –\/72 \(1999-07-02\) \|/);
  });

  const half = (name: 'Systolic' | 'Diastolic', value: string, dayText: string, detail: object = {}) => ({
    ...pressure(name === 'Systolic' ? '8480-6' : '8462-4', dayText, { value, unit: 'mmHg', ...detail }),
    title: `${name} blood pressure`,
    time: '08:00',
  });
  const readPressure = async (...entries: Parameters<Chart['add']>): Promise<string | undefined> =>
    (await renderSummary(...entries)).split('\n').find((line) => line.startsWith('| Blood Pressure |'));

  it('join the halves of a pressure, and name both', async () => {
    assert.equal(
      await readPressure(
        ...['2026-10-02', '2026-10-01', '2026-09-01', '2026-08-01'].flatMap((day) => [
          half('Systolic', '188', day),
          half('Diastolic', '110', day),
        ]),
      ),
      '| Blood Pressure | 188/110 mmHg | 2026-10-02 08:00 | 188/110 (2026-10-01), 188/110 (2026-09-01) | Observation/1 (2) |',
    );
  });

  it('compare a pressure that is alone with its like', async () => {
    assert.equal(
      await readPressure(
        half('Systolic', '188', '2026-10-02'),
        half('Diastolic', '110', '2026-10-01'),
        half('Systolic', '170', '2026-09-01'),
        pressure('85354-9', '2026-08-01', both('109')),
      ),
      '| Blood Pressure | Systolic blood pressure: 188 mmHg | 2026-10-02 08:00 | Systolic blood pressure: 170 (2026-09-01), 109/72 mm[Hg] (2026-08-01) | Observation/1 |',
    );
    assert.equal(
      await readPressure(
        pressure('85354-9', '2026-10-02', both('109')),
        half('Diastolic', '110', '2026-10-01'),
        pressure('85354-9', '2026-08-01', both('120')),
      ),
      '| Blood Pressure | 109/72 mm[Hg] | 2026-10-02 | 120/72 (2026-08-01) | Observation/1 |',
    );
  });

  it('say under which conditions they were measured', async () => {
    const text = await renderSummary(
      { ...pressure('85354-9', '2026-10-02', both('100')), title: 'Blood pressure Standing' },
      pressure('85354-9', '2026-10-01', { ...both('150'), method: 'Supine', bodySite: 'Left arm' }),
      entry('vital', 'Temp', {
        code: 'http://loinc.org|8328-7',
        dayText: '2026-10-01',
        detail: { vital: 'Body Temperature', value: '37.9', unit: 'C' },
      }),
    );
    assert.match(
      text,
      /\| 100\/72 mm\[Hg\] \(Standing\) \| 2026-10-02 \| 150\/72 \(2026-10-01; Supine, Left arm\) \|/,
    );
    assert.match(text, /\| 37\.9 C \(axillary\) \|/);
  });
});
