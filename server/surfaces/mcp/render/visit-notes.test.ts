import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { createChart, entry } from '../../../../test/harness/chart.ts';
import { openTestStore } from '../../../../test/harness/store.ts';
import { fitsOneAnswer } from './fit-length.ts';

const store = await openTestStore();
after(() => store.remove());

const VISIT = '6d6e1f9e-0000-4000-8000-000000000001';

describe('the notes of a visit', () => {
  it('are shown in full, newest first, whichever way the visit is named', async () => {
    const patient = await createChart(store.db);
    await patient.add(
      entry('visit', 'Office visit', {
        dayText: '2025-01-01',
        time: '09:00',
        reference: `Encounter/${VISIT}`,
      }),
      entry('note', 'Intake', {
        dayText: '2025-01-01',
        time: '09:10',
        visit: `Encounter/${VISIT}`,
        detail: { text: '# Intake\n- cough', author: 'Dr. Kim' },
      }),
      entry('note', 'Discharge', {
        dayText: '2025-01-01',
        time: '11:00',
        visit: `urn:uuid:${VISIT}`,
        detail: { unreadable: 'PDF, 120 kB' },
      }),
      entry('note', 'Elsewhere', {
        dayText: '2025-01-01',
        visit: 'Encounter/other',
        detail: { text: 'not here' },
      }),
    );
    const expected = `# Notes of a visit

Office visit, 2025-01-01 · Riverside Clinic · Encounter/${VISIT.slice(0, 8)}

## Discharge

2025-01-01 11:00 · Riverside Clinic · DocumentReference/3

The text of this note can't be read here (PDF, 120 kB).

## Intake

2025-01-01 09:10 · Dr. Kim · Riverside Clinic · DocumentReference/2

\`\`\`text
# Intake
- cough
\`\`\`

2 notes`;
    assert.equal(
      await patient.callTool('search_clinical_notes', { encounterId: `Encounter/${VISIT}` }),
      expected,
    );
    assert.equal(await patient.callTool('search_clinical_notes', { encounterId: VISIT }), expected);
  });

  it('differ from an unknown visit and from a visit without notes', async () => {
    const patient = await createChart(store.db);
    await patient.add(
      entry('visit', 'Office visit', { dayText: '2025-01-01', reference: 'Encounter/quiet' }),
    );
    assert.match(
      await patient.callTool('search_clinical_notes', { encounterId: 'quiet' }),
      /No notes are recorded for this visit\./,
    );
    assert.equal(
      await patient.callTool('search_clinical_notes', { encounterId: 'nowhere' }),
      'This record holds no visit Encounter/nowhere, or several that begin so. `get_visits` lists the visits with the ids to use here.',
    );
  });

  it('are shown even when the record does not hold the visit', async () => {
    const patient = await createChart(store.db);
    await patient.add(
      entry('note', 'Letter', { visit: 'Encounter/gone', detail: { text: 'Dear colleague' } }),
    );
    const text = await patient.callTool('search_clinical_notes', { encounterId: 'gone' });
    assert.match(text, /Encounter\/gone: the visit itself is not in this record\./);
    assert.match(text, /Dear colleague/);
  });

  it('name an organization once when it is also the author', async () => {
    const patient = await createChart(store.db);
    const by = { dayText: '2025-01-01', organization: 'Hilltop', visit: 'Encounter/v1' };
    await patient.add(entry('note', 'Letter', { ...by, detail: { text: 'cough', author: 'Hilltop' } }));
    for (const input of [{ encounterId: 'v1' }, { query: 'cough' }])
      assert.equal((await patient.callTool('search_clinical_notes', input)).match(/Hilltop/g)?.length, 1);
  });

  it('are counted, and those beyond one answer named, where a visit has more than are read', async () => {
    const patient = await createChart(store.db);
    const note = { dayText: '2025-01-01', visit: 'Encounter/v1', detail: { text: 'cough '.repeat(60) } };
    await patient.add(
      ...Array.from({ length: 201 }, (_, n) => entry('note', `Note ${n}`, { ...note, groupKey: `${n}` })),
    );
    const text = await patient.callTool('search_clinical_notes', { encounterId: 'v1' });
    assert.match(text, /\n201 notes$/);
    const [, left = '', rest = ''] =
      /\n(\d+) further notes not shown, for the length of one answer\. `get_details` reads them: (?:DocumentReference\/\d+, ){19}DocumentReference\/\d+ and (\d+) more, which `get_other_records` with kind `document` names\.\n/.exec(
        text,
      ) ?? [];
    assert.equal(Number(left), Number(rest) + 20, text.slice(-800));
    assert.equal(text.match(/^## Note/gm)?.length, 201 - Number(left));
  });

  it('are truncated with a notice at the length of one answer', async () => {
    const patient = await createChart(store.db);
    const long = 'Resting comfortably.\u200B '.repeat(1500);
    await patient.add(
      ...[1, 2, 3, 4].map((hour) =>
        entry('note', `Note ${hour}`, {
          dayText: '2025-01-01',
          time: `0${hour}:00`,
          visit: 'Encounter/v',
          detail: { text: long },
        }),
      ),
    );
    const text = await patient.callTool('search_clinical_notes', { encounterId: 'v' });
    assert.ok(fitsOneAnswer(text) && text.length > 35_000, String(text.length));
    const [, cut = '', from = ''] =
      /further characters of this note: `get_details` reads them by `(\S+) from (\d+)`/.exec(text) ?? [];
    assert.ok(text.includes(`${cut}\n`) && Number(from) > 2000, text.slice(-600));
    assert.match(
      text.slice(-300),
      /\d further notes? not shown, for the length of one answer\. `get_details` reads them: DocumentReference\/\d/,
    );
    assert.match(text.slice(-300), /\n4 notes$/);
    assert.equal((text.match(/^```/gm) ?? []).length % 2, 0, 'the fence is closed');
  });

  it('are shown once when a report repeats a document', async () => {
    const patient = await createChart(store.db);
    const note = { dayText: '2025-01-01', visit: 'Encounter/v', detail: { text: 'Same words' } };
    await patient.add(
      entry('note', 'Note', { ...note, reference: 'DocumentReference/d' }),
      entry('note', 'Note', { ...note, reference: 'DiagnosticReport/r' }),
    );
    assert.match(await patient.callTool('search_clinical_notes', { encounterId: 'v' }), /\n1 note$/);
    assert.match(await patient.callTool('search_clinical_notes', { query: 'words' }), /\n1 matching note\n/);
  });
});
