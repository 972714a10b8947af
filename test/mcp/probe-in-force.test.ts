import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { startTestService } from '../harness/service.ts';
import { condition, inForce, LIFE, openProbe, snomed, type Ask, type Resource } from './probe.ts';

const service = await startTestService({ environment: { CHARTGATE_MCP_RATE_LIMIT: '100000' } });

const request = (id: string, name: string, more: object): Resource => ({
  resourceType: 'MedicationRequest',
  id,
  status: 'active',
  intent: 'order',
  medicationCodeableConcept: { text: name },
  ...more,
});
const stopped = (id: string, name: string, more: object): Resource =>
  request(id, name, { status: 'stopped', statusReason: { text: 'Severe bradycardia' }, ...more });
const dosage = (text: string) => ({ dosageInstruction: [{ text }] });
const bounds = (repeat: object) => ({ dosageInstruction: [{ text: 'daily', timing: { repeat } }] });
const allergy = (id: string, code: object, more: object = {}): Resource => ({
  resourceType: 'AllergyIntolerance',
  id,
  code,
  ...more,
});

/** The lines below a heading of the summary or of a list, up to the next one. */
const listUnder = (text: string, heading: string): string => {
  const [, behind = ''] = text.split(new RegExp(`^(?:## )?${heading} \\(\\d+\\):?$`, 'm'));
  return behind.split(/^(?:## .*|.*\(\d+\).*:)$/m)[0] ?? '';
};
const askBoth = async (ask: Ask): Promise<string[]> => [
  (await ask('get_health_summary')).text,
  (await ask('get_medications', LIFE)).text,
];
const ENDED = 'Active in the record, but later stopped or held';

describe('what is in force', () => {
  after(() => service.stop());

  it('is no drug that a later record stops, and its row says when and why', async () => {
    const ask = await openProbe(
      service,
      request('m1', 'Metoprolol 50 mg', { authoredOn: '2024-01-01' }),
      stopped('m2', 'Metoprolol 50 mg', { authoredOn: '2026-06-01' }),
      request('r1', 'Ramipril 5 mg', { authoredOn: '2026-07-01' }),
      stopped('r2', 'Ramipril 5 mg', { authoredOn: '2026-06-01' }),
    );
    const said =
      /Metoprolol 50 mg \| 2024-01-01; past: 1 order, 2026-06-01.*active in the record, but the later order of 2026-06-01 is stopped: Severe bradycardia \(MedicationRequest\/m2\)/;
    for (const text of await askBoth(ask)) {
      assert.match(listUnder(text, ENDED), said);
      assert.doesNotMatch(listUnder(text, 'Current'), /Metoprolol/);
      assert.match(listUnder(text, 'Current'), /Ramipril 5 mg \| 2026-07-01; past: 1 order, 2026-06-01 \|/);
    }
    (await ask('get_details', { references: ['MedicationRequest/m1'] })).says('stopped: Severe bradycardia');
    (await ask('search', { query: 'bradycardia' })).says('Metoprolol 50 mg', 'stopped: Severe bradycardia');
  });

  it('stays where nobody knows whether the drug was stopped, and the row says what is recorded', async () => {
    const ask = await openProbe(
      service,
      request('w1', 'Warfarin', { authoredOn: '2025-05-02', ...dosage('2 mg daily') }),
      stopped('w2', 'Warfarin', { authoredOn: '2025-06-01', ...dosage('5 mg daily') }),
      request('d1', 'Digoxin', { authoredOn: '2025-05-02' }),
      stopped('d2', 'Digoxin', { authoredOn: '2025-05-02' }),
      request('p1', 'Prednisone', { authoredOn: '2025-05-02' }),
      request('p2', 'Prednisone', { authoredOn: '2026-05-02', intent: 'plan', status: 'cancelled' }),
    );
    for (const text of await askBoth(ask)) {
      const current = listUnder(text, 'Current');
      assert.match(
        current,
        /Warfarin.*an order of 2025-06-01 with another dosage \(5 mg daily\) is stopped: Severe bradycardia/,
      );
      assert.match(current, /Digoxin.*an order of 2025-05-02 is stopped: Severe bradycardia/);
      assert.doesNotMatch(current, /Prednisone.*cancelled/);
      assert.doesNotMatch(text, new RegExp(ENDED));
    }
  });

  it('is no course that is over by the dates of its dosage; when a prescription expires ends none', async () => {
    const ask = await openProbe(
      service,
      request('a', 'Amoxicillin', {
        authoredOn: '2025-02-01',
        ...bounds({ boundsPeriod: { start: '2025-02-01', end: '2025-02-11' } }),
      }),
      request('z', 'Azithromycin', {
        authoredOn: '2025-03-01',
        ...bounds({ boundsDuration: { value: 5, unit: 'days', code: 'd' } }),
      }),
      request('s', 'Simvastatin', {
        authoredOn: '2025-03-01',
        dispenseRequest: { validityPeriod: { end: '2025-06-01' } },
      }),
    );
    for (const text of await askBoth(ask)) {
      assert.match(text, /Amoxicillin \| 2025-02-01 to 2025-02-11 \|.*but ended 2025-02-11 by its own dates/);
      assert.match(
        text,
        /Azithromycin \| 2025-03-01 to 2025-03-06 \|.*but ended 2025-03-06 by its own dates/,
      );
      const current = listUnder(text, 'Current');
      assert.match(current, /Simvastatin.*prescription valid until 2025-06-01/);
      assert.doesNotMatch(current, /Amoxicillin|Azithromycin/);
    }
  });

  it('is no drug that is to begin, beside one that is taken now', async () => {
    const next = `${new Date().getFullYear() + 1}-12-20`;
    const ask = await openProbe(
      service,
      request('f', 'Furosemide 40 mg', {
        authoredOn: '2024-05-01',
        ...bounds({ boundsPeriod: { start: next } }),
      }),
      request('g', 'Furosemide 40 mg', { authoredOn: '2024-01-01', ...dosage('20 mg daily') }),
      {
        resourceType: 'MedicationStatement',
        id: 'd',
        status: 'active',
        medicationCodeableConcept: { text: 'Denosumab' },
        effectivePeriod: { start: next },
      },
    );
    for (const text of await askBoth(ask)) {
      const toCome = listUnder(text, 'Not begun yet');
      for (const name of ['Furosemide 40 mg', 'Denosumab'])
        assert.match(toCome, new RegExp(`${name} \\|.*not begun yet, from ${next}`));
      const current = listUnder(text, 'Current');
      assert.match(current, /Furosemide 40 mg \| 2024-01-01 \| 20 mg daily/);
      assert.doesNotMatch(current, /Denosumab|MedicationRequest\/f/);
    }
    (await ask('search', { query: 'denosumab' })).says('Denosumab', `not begun yet, from ${next}`);
  });

  it('stands for the drug in a search, with what follows beside it', async () => {
    const [last, next] = [new Date().getFullYear() - 1, new Date().getFullYear() + 1];
    const order = (
      id: string,
      name: string,
      { day, start, text }: Record<'day' | 'start' | 'text', string>,
    ) =>
      request(id, name, {
        authoredOn: day,
        dosageInstruction: [{ text, timing: { repeat: { boundsPeriod: { start } } } }],
      });
    const [january, later] = [`${last}-01-10`, `${next}-12-15`];
    const ask = await openProbe(
      service,
      order('w1', 'Warfarin 5 mg', { day: january, start: january, text: '5 mg daily' }),
      order('w2', 'Warfarin 5 mg', { day: `${last}-11-28`, start: later, text: '5 mg daily' }),
      order('m1', 'Metformin 500 mg', { day: january, start: january, text: '1 tab daily' }),
      order('m2', 'Metformin 500 mg', { day: `${last}-11-28`, start: later, text: '2 tab twice daily' }),
      stopped('d1', 'Digoxin', { authoredOn: january }),
      order('d2', 'Digoxin', { day: january, start: later, text: 'daily' }),
    );
    const warfarin = `Warfarin 5 mg \\| ${january} \\| active; .*5 mg daily.*; the next from ${later} \\| and 1 more`;
    const metformin = `Metformin 500 mg \\| ${january} \\| active; .*1 tab daily.*; the next from ${later}: 2 tab twice daily \\|`;
    for (const query of ['warfarin', 'am I taking warfarin'])
      assert.match((await ask('search', { query })).text, new RegExp(warfarin));
    for (const query of ['what medications am I taking', 'current medications']) {
      const { text } = await ask('search', { query });
      assert.match(text, new RegExp(warfarin));
      assert.match(text, new RegExp(metformin));
    }
    const { text } = await ask('search', { query: 'digoxin' });
    assert.match(text, new RegExp(`Digoxin \\|.*from ${later}`));
    assert.doesNotMatch(text, /some in force/);
  });

  it('leaves the note of a statement that there is none beside it', async () => {
    const note = (text: string) => ({ note: [{ text }] });
    const ask = await openProbe(
      service,
      {
        resourceType: 'MedicationStatement',
        id: 'n1',
        status: 'active',
        medicationCodeableConcept: { text: 'None listed' },
        ...note('takes insulin at home'),
      },
      {
        resourceType: 'MedicationStatement',
        id: 'n2',
        status: 'active',
        medicationCodeableConcept: { text: 'None listed' },
        ...note('except eye drops'),
      },
      condition('c1', 'No known problems', { ...inForce, ...note('Except asthma') }),
      condition('c2', 'No known problems', { ...inForce, ...note('Except gout') }),
      allergy('a1', { text: 'No known allergies' }, note('except latex')),
      allergy('a2', { text: 'No known allergies' }, note('except peanuts')),
    );
    const notes = {
      get_medications: ['takes insulin at home', 'except eye drops'],
      get_conditions: ['Except asthma', 'Except gout'],
      get_allergies: ['except latex', 'except peanuts'],
    };
    const summary = (await ask('get_health_summary')).text;
    for (const [tool, said] of Object.entries(notes)) {
      const { text } = await ask(tool, LIFE);
      for (const each of said) {
        assert.ok(summary.includes(each), `the summary: ${each}`);
        assert.ok(text.includes(each), `${tool}: ${each}`);
      }
    }
  });

  it('is nothing that says that there is none, or that nothing is known', async () => {
    const ask = await openProbe(
      service,
      allergy('a1', { text: 'Not on File', coding: [snomed('1631000175102', 'Patient not asked')] }),
      allergy('a2', { text: 'No Known Contrast Allergy' }),
      allergy('a3', { text: 'Unknown' }, { reaction: [{ manifestation: [{ text: 'Hives' }] }] }),
      condition('c1', 'Problem list reviewed, no active problems', inForce),
      condition('c2', 'Unknown', { ...inForce, bodySite: [{ text: 'left arm' }] }),
      request('m', 'No current outpatient medications', {}),
      request('n', 'Unknown', dosage('5 mg daily')),
    );
    const summary = (await ask('get_health_summary')).text;
    assert.match(summary, /\| Not on File \(nothing is known\) \|/);
    assert.match(summary, /\| No Known Contrast Allergy \|/);
    assert.match(summary, /\| Unknown \|.*\| Hives \|/);
    assert.match(summary, /Stated: Problem list reviewed, no active problems, Condition\/c1/);
    assert.match(summary, /Stated: No current outpatient medications, MedicationRequest\/m/);
    assert.match(summary, /Current \(1\):[^#]*\| Unknown \|.*5 mg daily/);
    assert.match((await ask('get_conditions', LIFE)).text, /## Active \(1\)/);
  });

  it('keeps the doubt and the death of a family history in its row', async () => {
    const ask = await openProbe(service, {
      resourceType: 'FamilyMemberHistory',
      id: 'f',
      status: 'completed',
      relationship: { text: 'Sister' },
      deceasedString: 'died young of heart attack',
      condition: [{ code: { text: 'Huntington disease' }, note: [{ text: 'suspected only' }] }],
    });
    for (const [tool, input] of [
      ['get_other_records', { kind: 'family_history', ...LIFE }],
      ['search', { query: 'suspected only' }],
      ['search', { query: 'sister' }],
    ] as const)
      (await ask(tool, input)).says('Sister', 'suspected only', 'died young of heart attack');
  });
});
