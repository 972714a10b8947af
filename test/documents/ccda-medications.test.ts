import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Entry } from '../../server/clinical/entries/entry.ts';
import { getPath, toElements } from '../../server/clinical/entries/element.ts';
import { filterByType, convertCcdaSection } from '../harness/ccda-section.ts';

const RXNORM = '2.16.840.1.113883.6.88';
const SNOMED = '2.16.840.1.113883.6.96';

interface MedicationOptions {
  mood?: string;
  negated?: boolean;
  status?: string;
  times?: string;
  dose?: string;
  material?: string;
  inside?: string;
  text?: string;
  narrative?: string;
}

const IBUPROFEN = `<code code="197806" codeSystem="${RXNORM}" displayName="ibuprofen 600 MG Oral Tablet"/>`;

const administration = (options: MedicationOptions): string => `
  <substanceAdministration classCode="SBADM" moodCode="${options.mood ?? 'EVN'}"${options.negated ? ' negationInd="true"' : ''}>
    <id root="1.2.3" extension="5"/><text>${options.text ?? '<reference value="#m1"/>'}</text>
    <statusCode code="${options.status ?? 'active'}"/>
    ${options.times ?? '<effectiveTime xsi:type="IVL_TS"><low value="20131218"/></effectiveTime>'}
    ${options.dose ?? ''}
    <consumable><manufacturedProduct><manufacturedMaterial>${options.material ?? IBUPROFEN}</manufacturedMaterial>
    </manufacturedProduct></consumable>${options.inside ?? ''}
  </substanceAdministration>`;

const medication = (options: MedicationOptions): string =>
  `<text>${options.narrative ?? ''}</text><entry>${administration(options)}</entry>`;

type Medication = Extract<Entry, { kind: 'medication' }>;

async function readOnlyMedication(options: MedicationOptions): Promise<Medication> {
  const { entries } = await convertCcdaSection('10160-0', medication(options));
  const [entry, ...others] = entries.filter((each) => each.kind === 'medication');
  assert.ok(entry && others.length === 0);
  return entry;
}

const table = (heads: string, cells: string): string =>
  `<table><thead><tr>${heads}</tr></thead><tbody><tr>${cells}</tr></tbody></table>`;

describe('a medication of a C-CDA document', () => {
  it('becomes a MedicationStatement where it is taken, a MedicationRequest where it is requested', async () => {
    assert.equal((await readOnlyMedication({})).detail.resource, 'MedicationStatement');
    const asked = await readOnlyMedication({ mood: 'INT' });
    assert.equal(asked.detail.resource, 'MedicationRequest');
    assert.equal(asked.detail.intent, 'order');
    assert.ok(asked.current);
  });

  it('keeps dose, route, timing and as-needed reason, in the digits of the document', async () => {
    const times = `<effectiveTime xsi:type="IVL_TS"><low value="20131218"/><high value="201401"/></effectiveTime>
      <effectiveTime xsi:type="PIVL_TS" operator="A"><period xsi:type="IVL_PQ">
        <low value="4" unit="h"/><high value="6" unit="h"/></period></effectiveTime>`;
    const dose = `<routeCode code="C38288" codeSystem="2.16.840.1.113883.3.26.1.1" displayName="Oral"/>
      <doseQuantity value="1.50" unit="mg"/><rateQuantity value="90" unit="ml/min"/>`;
    const inside = `<precondition typeCode="PRCN"><criterion><value xsi:type="CD" code="49727002"
      codeSystem="${SNOMED}" displayName="Cough"/></criterion></precondition>`;
    const read = await convertCcdaSection('10160-0', medication({ times, dose, inside }));
    const [resource] = filterByType(read, 'MedicationStatement');
    assert.deepEqual(resource?.['effectivePeriod'], { start: '2013-12-18', end: '2014-01' });
    const [step] = toElements(resource?.['dosage']);
    assert.deepEqual(step?.['timing'], {
      repeat: { frequency: '1', period: '4', periodMax: '6', periodUnit: 'h' },
    });
    assert.equal(
      (await readOnlyMedication({ times, dose, inside })).detail.dosage,
      '1.50 mg at 90 ml/min Oral every 4 to 6 hours as needed for Cough',
    );
  });

  it('has the event of the day as its timing', async () => {
    const times = `<effectiveTime xsi:type="EIVL_TS" operator="A"><event code="HS"/></effectiveTime>`;
    assert.equal((await readOnlyMedication({ times })).detail.dosage, 'at bedtime');
  });

  it('counts its dose form, or the unit of a translation', async () => {
    const puffs = '<doseQuantity value="2"/><administrationUnitCode code="1" displayName="Puff"/>';
    assert.equal((await readOnlyMedication({ dose: puffs })).detail.dosage, '2 Puff');
    const tablets = `<doseQuantity value="1.0" unit="1"><translation value="1.0">
      <originalText>tablet(s)</originalText></translation></doseQuantity>`;
    assert.equal((await readOnlyMedication({ dose: tablets })).detail.dosage, '1.0 tablet(s)');
  });

  it('has the directions of its row, and not its own name, as dosage text', async () => {
    const narrative = table(
      '<th>Medication</th><th>Instructions</th>',
      '<td><content ID="m1">Ibuprofen 600 MG oral tablet, [RxNorm: 197806]</content></td><td>1 tablet at night</td>',
    );
    assert.equal((await readOnlyMedication({ narrative })).detail.dosage, '1 tablet at night');
    const bare = '<content ID="m1">ibuprofen 600 MG Oral Tablet, [RxNorm: 197806]</content>';
    assert.equal((await readOnlyMedication({ narrative: bare })).detail.dosage, null);
  });

  it('has all of its timings, as text where one repeat cannot hold them', async () => {
    const every = (value: number, unit: string): string =>
      `<effectiveTime xsi:type="PIVL_TS" operator="A"><period value="${value}" unit="${unit}"/></effectiveTime>`;
    const event = (code: string, offset = ''): string =>
      `<effectiveTime xsi:type="EIVL_TS" operator="A"><event code="${code}"/>${offset}</effectiveTime>`;
    const half = '<offset value="30" unit="min"/>';
    const days = '<effectiveTime xsi:type="IVL_TS"><low value="20131218"/></effectiveTime>';
    const both = `<effectiveTime xsi:type="SXPR_TS"><comp xsi:type="PIVL_TS"><period value="8" unit="h"/></comp>
      <comp xsi:type="PIVL_TS" operator="A"><period value="1" unit="mo"/></comp></effectiveTime>`;
    const range = `<effectiveTime xsi:type="PIVL_TS"><period xsi:type="IVL_PQ"><low value="4" unit="h"/>
      <high value="6" unit="h"/></period></effectiveTime>`;
    for (const [times, text] of [
      [every(12, 'h') + every(1, 'wk'), 'every 12 hours, and every week'],
      [both, 'every 8 hours, and every month'],
      [range + every(2, 'd'), 'every 4 to 6 hours, and every 2 days'],
      [every(12, 'h') + event('ICM'), 'every 12 hours, and ICM'],
      [event('AC', half) + event('HS'), 'before meals, offset 30 min, and at bedtime'],
      [event('IC'), 'between meals'],
    ] as const) {
      const read = await convertCcdaSection('10160-0', medication({ times: days + times }));
      const [step] = toElements(filterByType(read, 'MedicationStatement')[0]?.['dosage']);
      assert.deepEqual(step?.['timing'], { code: { text } });
      assert.equal((await readOnlyMedication({ times: days + times })).detail.dosage, text);
    }
    for (const [times, text] of [
      [every(12, 'h') + every(12, 'h'), 'every 12 hours'],
      [every(24, 'h') + event('HS'), 'every 24 hours at bedtime'],
      [event('AC') + event('HS'), 'before meals and at bedtime'],
      [
        `${every(12, 'h')}<effectiveTime xsi:type="PIVL_TS"><period nullFlavor="UNK"/></effectiveTime>`,
        'every 12 hours',
      ],
    ] as const)
      assert.equal((await readOnlyMedication({ times: days + times })).detail.dosage, text);
  });

  it('has the status of its row where it is "completed" without an end', async () => {
    const row = (status: string): string =>
      table('<th>Medication</th><th>Status</th>', `<td ID="m1">Ibuprofen</td><td>${status}</td>`);
    const status = async (word: string) =>
      (await readOnlyMedication({ status: 'completed', narrative: row(word) })).status;
    assert.equal(await status('Active'), 'active');
    assert.equal(await status('Discontinued'), 'stopped');
    assert.equal(await status(''), 'unknown');
  });

  it('is completed where it is "completed" with an end', async () => {
    const times = '<effectiveTime xsi:type="IVL_TS"><low value="2012"/><high value="2013"/></effectiveTime>';
    assert.equal((await readOnlyMedication({ status: 'completed', times })).status, 'completed');
  });

  describe('whose end its row alone states', () => {
    const low =
      '<effectiveTime xsi:type="IVL_TS"><low value="20080922085800-0500"/><high nullFlavor="UNK"/></effectiveTime>';
    const read = (
      end: string,
      { start = '09/22/2008', ...options }: MedicationOptions & { start?: string } = {},
    ) =>
      readOnlyMedication({
        mood: 'INT',
        status: 'completed',
        times: low,
        narrative: table(
          '<th>Medication</th><th>Start Date</th><th>End Date</th><th>Status</th>',
          `<td ID="m1">Ibuprofen</td><td>${start}</td><td>${end}</td><td>Ordered</td>`,
        ),
        ...options,
      });

    it('has ended, whatever word the row has for its status', async () => {
      const ended = await read('10/02/2008');
      assert.deepEqual([ended.status, ended.current, ended.endText], ['completed', false, '2008-10-02']);
      assert.deepEqual([(await read(' ')).status, (await read('ongoing')).status], ['active', 'active']);
      const taken = await read('10/02/2008', { mood: 'EVN' });
      assert.deepEqual([taken.dayText, taken.endText], ['2008-09-22', '2008-10-02']);
      const active = await read('10/02/2008', { status: 'active' });
      assert.deepEqual([active.status, active.endText], ['active', '2008-10-02']);
    });

    it('has it as a day only in an order of day and month that the document shows', async () => {
      for (const [end, start, day] of [
        ['2008-10-02', 'x', '2008-10-02'],
        ['02/10/2008', '22/09/2008', '2008-10-02'],
        ['10/25/2008', 'x', '2008-10-25'],
        ['10/02/2008', 'x', null],
        ['13/32/2008', '09/22/2008', null],
        ['Oct 2, 2008', '09/22/2008', null],
      ] as const) {
        const entry = await read(end, { start });
        assert.equal(entry.endText, day, end);
        assert.equal(entry.status, 'completed');
        if (day === null) assert.match(entry.detail.note ?? '', new RegExp(`date as written: ${end}`));
      }
      const supply = `<entryRelationship typeCode="REFR"><supply classCode="SPLY" moodCode="INT">
        <effectiveTime value="20081002085800-0500"/></supply></entryRelationship>`;
      const expired = await read('10/02/2008', { start: 'x', inside: supply });
      assert.deepEqual([expired.endText, expired.detail.validUntil], ['2008-10-02', '2008-10-02']);
    });
  });

  it('has other names of its product as notes: brand beside substance', async () => {
    const material = `<code code="309362" codeSystem="${RXNORM}" displayName="Clopidogrel 75 MG oral tablet">
      <originalText>Clopidogrel</originalText></code><name>Plavix</name>`;
    const read = await convertCcdaSection('10160-0', medication({ material }));
    const [resource] = filterByType(read, 'MedicationStatement');
    assert.deepEqual(resource?.['note'], [{ text: 'Product name: Plavix' }]);
    assert.deepEqual(resource?.['medicationCodeableConcept'], {
      coding: [
        {
          system: 'http://www.nlm.nih.gov/research/umls/rxnorm',
          code: '309362',
          display: 'Clopidogrel 75 MG oral tablet',
        },
      ],
      text: 'Clopidogrel',
    });
    for (const [other, note] of [
      [material.replace('Plavix', 'clopidogrel 75 mg'), null],
      [
        '<code nullFlavor="OTH" displayName="Arnica 30 C"><originalText>Arnica</originalText></code>',
        'Product name: Arnica 30 C',
      ],
      ['<code nullFlavor="UNK"/><name>Echinacea</name>', null],
    ] as const)
      assert.equal((await readOnlyMedication({ material: other })).detail.note, note);
  });

  it('keeps two names of one code', async () => {
    const material = `<code code="309362" codeSystem="${RXNORM}" displayName="Clopidogrel 75 MG">
      <translation code="309362" codeSystem="${RXNORM}" displayName="Plavix 75 MG"/>
      <translation code="309362" codeSystem="${RXNORM}" displayName="CLOPIDOGREL 75 mg"/>
      <translation code="309362" codeSystem="${RXNORM}"/></code>`;
    const read = await convertCcdaSection('10160-0', medication({ material }));
    const [resource] = filterByType(read, 'MedicationStatement');
    const coding = toElements(getPath(resource, 'medicationCodeableConcept', 'coding'));
    assert.deepEqual(
      coding.map(({ display }) => display),
      ['Clopidogrel 75 MG', 'Plavix 75 MG'],
    );
  });

  it('has its name, else the row of the narrative, where it has no code', async () => {
    const named = '<code nullFlavor="UNK"/><name>Echinacea</name>';
    assert.equal((await readOnlyMedication({ material: named })).title, 'Echinacea');
    const narrative = table('<th>Start</th><th>Medication</th>', '<td>2013</td><td ID="m1">Arnica</td>');
    assert.equal(
      (await readOnlyMedication({ material: '<code nullFlavor="UNK"/>', narrative })).title,
      'Arnica',
    );
  });

  it('is not named by another row where name and code agree that the reference is wrong', async () => {
    const material = `<code code="248656" codeSystem="${RXNORM}" displayName="Azithromycin 500 MG Oral Tablet">
      <originalText><reference value="#other"/></originalText></code><name>azithromycin</name>`;
    const narrative = '<content ID="other">Viagra Oral Tablet 50 mg</content>';
    assert.equal(
      (await readOnlyMedication({ material, narrative })).title,
      'Azithromycin 500 MG Oral Tablet',
    );
    const unnamed = material.replace('<name>azithromycin</name>', '');
    assert.equal(
      (await readOnlyMedication({ material: unnamed, narrative })).title,
      'Viagra Oral Tablet 50 mg (coded as Azithromycin 500 MG Oral Tablet)',
    );
  });

  it('states that there are no drugs, or no information, where it is negated without a drug', async () => {
    const material = `<code nullFlavor="OTH"><translation code="410942007" codeSystem="${SNOMED}"
      displayName="drug or medication"/></code>`;
    const none = await readOnlyMedication({
      mood: 'INT',
      negated: true,
      material,
      text: 'No known medications',
    });
    assert.equal(none.title, 'No known medications');
    assert.ok(none.detail.none);
    const excluded = await readOnlyMedication({
      negated: true,
      material,
      text: 'Medication excluded/not available',
    });
    assert.equal(excluded.title, 'No information about medications');
    assert.ok(excluded.detail.none);
  });

  it('is not taken where it is negated and only its words name the drug', async () => {
    const material = '<code nullFlavor="OTH"><originalText>Warfarin sodium</originalText></code>';
    const entry = await readOnlyMedication({ negated: true, material });
    assert.equal(entry.title, 'Warfarin sodium');
    assert.equal(entry.status, 'not-taken');
    assert.ok(!entry.current && !entry.detail.none);
  });

  it('is planned and not current in the section of plans', async () => {
    const { entries } = await convertCcdaSection('18776-5', medication({ mood: 'INT' }));
    const [entry] = entries.filter((each) => each.kind === 'medication');
    assert.equal(entry?.detail.intent, 'plan');
    assert.ok(!entry.current);
  });

  it('is not taken, with the reason, where it was refused', async () => {
    const inside = `<entryRelationship typeCode="RSON"><observation classCode="OBS" moodCode="EVN">
      <code code="77301-0" codeSystem="2.16.840.1.113883.6.1"/>
      <value xsi:type="CD" code="105480006" codeSystem="${SNOMED}" displayName="Declined by patient"/>
      </observation></entryRelationship>`;
    const entry = await readOnlyMedication({ negated: true, inside });
    assert.equal(entry.status, 'not-taken');
    assert.equal(entry.detail.statusReason, 'Declined by patient');
    assert.equal(entry.detail.reason, null);
  });

  it('has its reason, its fills and the supply that was requested', async () => {
    const supply = (mood: string): string => `<entryRelationship typeCode="REFR"><supply classCode="SPLY"
      moodCode="${mood}"><statusCode code="completed"/><effectiveTime value="20120815"/>
      <repeatNumber value="3"/><quantity value="75"/></supply></entryRelationship>`;
    const reason = `<entryRelationship typeCode="RSON"><observation classCode="OBS" moodCode="EVN">
      <value xsi:type="CD" code="233604007" codeSystem="${SNOMED}" displayName="Pneumonia"/></observation>
      </entryRelationship>`;
    const inside = supply('INT') + supply('EVN') + reason;
    const read = await convertCcdaSection('10160-0', medication({ mood: 'INT', inside }));
    const [request] = filterByType(read, 'MedicationRequest');
    assert.deepEqual(request?.['dispenseRequest'], {
      // A single time of an order is when it expires.
      validityPeriod: { end: '2012-08-15' },
      numberOfRepeatsAllowed: '2',
      quantity: { value: '75' },
    });
    const [dispense] = filterByType(read, 'MedicationDispense');
    assert.equal(dispense?.['whenHandedOver'], '2012-08-15');
    assert.equal(read.entries.find(({ title }) => title.startsWith('ibuprofen'))?.kind, 'medication');
    assert.deepEqual(
      toElements(request?.['reasonCode']).map(({ text }) => text),
      ['Pneumonia'],
    );
  });

  it('is read the same inside of an organizer or an act of admission', async () => {
    const inside = `<entry><organizer classCode="CLUSTER" moodCode="EVN"><statusCode code="active"/>
      <component>${administration({ mood: 'INT' })}</component>
      <component>${administration({ mood: 'INT' }).replace('"5"', '"6"')}</component></organizer></entry>
      <entry><act classCode="ACT" moodCode="EVN"><code code="42346-7"/>
      <entryRelationship typeCode="SUBJ">${administration({})}</entryRelationship></act></entry>`;
    const read = await convertCcdaSection('42346-7', inside);
    assert.equal(filterByType(read, 'MedicationRequest').length, 2);
    assert.equal(filterByType(read, 'MedicationStatement').length, 1);
  });
});
