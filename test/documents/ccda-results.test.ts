import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Entry } from '../../server/clinical/entries/entry.ts';
import { filterByType, convertCcdaSection } from '../harness/ccda-section.ts';

const LOINC = '2.16.840.1.113883.6.1';

const POTASSIUM = `<code code="2823-3" codeSystem="${LOINC}" displayName="Potassium"/>`;

const observation = (value: string, { code = POTASSIUM, status = 'completed', inside = '' } = {}): string => `
  <observation classCode="OBS" moodCode="EVN"><id root="1.2.3" extension="1"/>${code}
    <statusCode code="${status}"/><effectiveTime value="20130311"/>${value}${inside}</observation>`;

const organizer = (...observations: string[]): string => groupAs('completed', ...observations);

const groupAs = (status: string, ...observations: string[]): string => `
  <entry><organizer classCode="BATTERY" moodCode="EVN"><id root="1.2.3" extension="0"/>
    <code code="57021-8" codeSystem="${LOINC}" displayName="CBC panel"/><statusCode code="${status}"/>
    ${observations.map((each) => `<component>${each}</component>`).join('')}</organizer></entry>`;

type Lab = Extract<Entry, { kind: 'lab' }>;

/** Not the report that lists it. */
const isResult = (entry: Entry): entry is Lab => entry.kind === 'lab' && entry.detail.members === undefined;

async function readOnlyResult(inside: string): Promise<Lab> {
  const { entries } = await convertCcdaSection('30954-2', inside);
  const [entry, ...others] = entries.filter(isResult);
  assert.ok(entry && others.length === 0);
  return entry;
}

const readValue = async (value: string): Promise<[string | null, string | null, string | null]> => {
  const { detail } = await readOnlyResult(organizer(observation(value)));
  return [detail.value, detail.unit, detail.absent];
};

describe('results of a C-CDA document', () => {
  it('have no date where theirs is none, and show it as it was written', async () => {
    const value = '<value xsi:type="PQ" value="4.10" unit="mmol/L"/>';
    for (const written of ['200130311', '20250230', '20251332']) {
      const lab = await readOnlyResult(organizer(observation(value).replace('20130311', written)));
      assert.deepEqual([lab.day, lab.detail.note], [null, `date as written: ${written}`]);
    }
  });

  it('become Observations that the DiagnosticReport of their organizer lists', async () => {
    const value = '<value xsi:type="PQ" value="4.10" unit="mmol/L"/>';
    const read = await convertCcdaSection('30954-2', organizer(observation(value), observation(value)));
    const [report] = filterByType(read, 'DiagnosticReport');
    const ids = filterByType(read, 'Observation').map(({ id }) => ({
      reference: `Observation/${String(id)}`,
    }));
    assert.equal(ids.length, 2);
    assert.deepEqual(report?.['result'], ids);
    assert.equal(report?.['effectiveDateTime'], '2013-03-11');
    assert.deepEqual(
      read.entries.map((each) => (isResult(each) ? 'result' : each.kind)).filter((kind) => kind !== 'note'),
      ['result', 'result', 'lab'],
    );
  });

  it('keep their values in the digits and units of the document, whatever their type', async () => {
    assert.deepEqual(await readValue('<value xsi:type="PQ" value="4.10" unit="K/uL"/>'), [
      '4.10',
      'K/uL',
      null,
    ]);
    assert.deepEqual(await readValue('<value xsi:type="INT" value="7"/>'), ['7', null, null]);
    assert.deepEqual(await readValue('<value xsi:type="REAL" value="1.0"/>'), ['1.0', null, null]);
    assert.deepEqual(await readValue('<value xsi:type="ST">negative</value>'), ['negative', null, null]);
    assert.deepEqual(await readValue('<value xsi:type="CD" code="260385009" displayName="Negative"/>'), [
      'Negative',
      null,
      null,
    ]);
    assert.deepEqual(await readValue('<value xsi:type="PQ" value="80-100" unit="mg"/>'), [
      '80-100 mg',
      null,
      null,
    ]);
    assert.deepEqual(
      await readValue('<value xsi:type="RTO"><numerator value="1"/><denominator value="128"/></value>'),
      ['1:128', null, null],
    );
    const bare = '<numerator value="1" unit="1"/><denominator value="64" unit="1"/>';
    assert.deepEqual(await readValue(`<value xsi:type="RTO_PQ_PQ">${bare}</value>`), ['1:64', null, null]);
  });

  it('keep bounds as bounds, written as text or as an interval', async () => {
    assert.deepEqual(await readValue('<value xsi:type="ST">&lt;0.10</value>'), ['<0.10', null, null]);
    assert.deepEqual(await readValue('<value xsi:type="ST">&gt;= 60 mL/min</value>'), [
      '>=60',
      'mL/min',
      null,
    ]);
    const open = '<value xsi:type="IVL_PQ"><high value="0.1" unit="ng/mL" inclusive="false"/></value>';
    assert.deepEqual(await readValue(open), ['<0.1', 'ng/mL', null]);
    const both = '<value xsi:type="IVL_PQ"><low value="1"/><high value="2.0"/></value>';
    assert.deepEqual(await readValue(both), ['1 to 2.0', null, null]);
  });

  it('say why they have no value', async () => {
    assert.deepEqual(await readValue('<value xsi:type="PQ" nullFlavor="NA"/>'), [
      null,
      null,
      'not applicable',
    ]);
    assert.deepEqual(await readValue(''), [null, null, 'unknown']);
    assert.deepEqual(await readValue('<value xsi:type="PQ" nullFlavor="TRC"/>'), ['Trace', null, null]);
  });

  it('keep their interpretation and reference ranges of numbers or of words', async () => {
    const inside = `<interpretationCode code="L" codeSystem="2.16.840.1.113883.5.83"/><interpretationCode/>
      <referenceRange><observationRange><text>M 13-18 g/dl; F 12-16 g/dl</text></observationRange></referenceRange>
      <referenceRange><observationRange><value xsi:type="IVL_PQ"><low value="3.50" unit="mmol/L"/>
        <high value="5" unit="mmol/L"/></value></observationRange></referenceRange>`;
    const value = '<value xsi:type="PQ" value="3.1" unit="mmol/L"/>';
    const { detail } = await readOnlyResult(organizer(observation(value, { inside })));
    assert.equal(detail.interpretation, 'Low');
    assert.equal(detail.referenceRange, 'M 13-18 g/dl; F 12-16 g/dl; 3.50 to 5 mmol/L');
  });

  it('that are not final yet say so', async () => {
    const value = '<value xsi:type="PQ" value="3.1" unit="mmol/L"/>';
    assert.equal(
      (await readOnlyResult(organizer(observation(value, { status: 'active' })))).status,
      'preliminary',
    );
  });

  it('have the status of a panel that was entered in error or cancelled', async () => {
    const value = '<value xsi:type="PQ" value="5.10" unit="mmol/L"/>';
    const read = await convertCcdaSection('30954-2', groupAs('nullified', observation(value)));
    assert.deepEqual(
      filterByType(read, 'Observation').map(({ status }) => status),
      ['entered-in-error'],
    );
    for (const status of ['aborted', 'cancelled']) {
      const entry = await readOnlyResult(groupAs(status, observation(value)));
      assert.equal(entry.status, 'cancelled');
      assert.equal(entry.detail.value, '5.10');
      assert.equal(entry.detail.note, `The group that it is part of is ${status}, itself it is completed`);
    }
  });

  it('say that they are negated, with or without a value', async () => {
    const negate = (value: string): string =>
      organizer(observation(value)).replace('<observation ', '<observation negationInd="true" ');
    const { detail } = await readOnlyResult(negate('<value xsi:type="PQ" value="5.10" unit="mmol/L"/>'));
    assert.equal(detail.value, 'not 5.10 mmol/L (negated in the document)');
    assert.equal((await readOnlyResult(negate(''))).detail.absent, 'not performed');
  });

  it('that are only aimed at are no results', async () => {
    const value = '<value xsi:type="PQ" value="5.10" unit="mmol/L"/>';
    const goal = `<entry>${observation(value).replace('moodCode="EVN"', 'moodCode="GOL"')}</entry>`;
    const read = await convertCcdaSection('30954-2', goal);
    assert.deepEqual(
      read.resources.map(({ resourceType }) => resourceType),
      ['Goal'],
    );
  });

  it('show the name of the code beside another name of the author', async () => {
    const code = POTASSIUM.replace('/>', '><originalText>Sodium, serum</originalText></code>');
    const value = '<value xsi:type="PQ" value="5.10" unit="mmol/L"/>';
    assert.equal(
      (await readOnlyResult(organizer(observation(value, { code })))).title,
      'Sodium, serum (coded as Potassium)',
    );
  });

  it('are read without an organizer, and from a nested organizer', async () => {
    const value = '<value xsi:type="PQ" value="3.1" unit="mmol/L"/>';
    const alone = await convertCcdaSection('30954-2', `<entry>${observation(value)}</entry>`);
    assert.equal(filterByType(alone, 'Observation').length, 1);
    assert.equal(filterByType(alone, 'DiagnosticReport').length, 0);
    const inner = `<organizer classCode="BATTERY" moodCode="EVN"><component>${observation(value)}</component></organizer>`;
    assert.equal((await readOnlyResult(organizer(inner))).detail.value, '3.1');
  });

  it('have the category imaging by their name, except quantities', async () => {
    const code = '<code nullFlavor="UNK"><originalText>CHEST X-RAY, PA AND LATERAL</originalText></code>';
    const picture = organizer(observation('<value xsi:type="ST">Clear lungs</value>', { code }));
    const { resources } = await convertCcdaSection('30954-2', picture);
    const categories = resources.flatMap(({ category }) => JSON.stringify(category ?? []));
    assert.ok(categories.some((each) => each.includes('"imaging"')));
    assert.ok(categories.some((each) => each.includes('"RAD"')));
    assert.equal(
      (await readOnlyResult(organizer(observation('<value xsi:type="PQ" value="1"/>', { code })))).kind,
      'lab',
    );
  });

  it('are left out with a reason where nothing was observed', async () => {
    const code = '<code nullFlavor="UNK"/>';
    const read = await convertCcdaSection(
      '30954-2',
      organizer(observation('<value xsi:type="ST" nullFlavor="UNK"/>', { code })),
    );
    assert.deepEqual(filterByType(read, 'Observation'), []);
    assert.equal(read.skipped[0]?.reason, 'null_flavored');
  });
});
