import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ResourceScope } from '../../contract/data-categories.ts';
import { labelBit, toLabelMask } from '../../server/consent/access/sensitivity-labels.ts';
import { redactBody, type RedactedRow } from '../../server/clinical/labels/redact.ts';
import { sql } from '../../server/platform/db/sql.ts';
import type { Chart } from '../harness/chart.ts';
import { importBatch, importUploads } from '../harness/import-record.ts';
import { openTestStore, type TestStore } from '../harness/store.ts';

type Json = Record<string, unknown>;

const encounter = (more: Json): Json => ({
  resourceType: 'Encounter',
  id: 'e',
  status: 'finished',
  class: { code: 'AMB' },
  type: [{ text: 'Office visit' }],
  period: { start: '2026-01-05' },
  ...more,
});

describe('what a resource names of another category', () => {
  let store: TestStore;
  before(async () => {
    store = await openTestStore('embedded');
  });
  after(() => store.remove());

  const importRecord = (resources: readonly Json[]): Promise<Chart> => importUploads(store.db, resources);

  /** The bodies that a consent without these labels shows. */
  async function readBodies({ patientId }: Chart, withheld: number): Promise<string[]> {
    const rows = await store.db.query(sql<RedactedRow & { body: string }>`
      select body, required_labels, redactions from resource join resource_label using (patient_id, seq)
      where patient_id = ${patientId} order by seq`);
    return rows
      .filter((row) => ((row.required_labels ?? -1) & withheld) === 0)
      .map((row) => redactBody(Buffer.from(row.body), row, [withheld]).toString());
  }

  const withhold = ({ patientId }: Chart, withheld: number): Promise<unknown> =>
    store.db.query(sql`update consent set withheld = ${withheld} where patient_id = ${patientId}`);

  const TOOLS = ['get_visits', 'get_health_summary', 'get_medications', 'get_procedures'];
  const KINDS = ['care_plan', 'care_team', 'order'];
  const QUERIES = ['gout', 'office', 'allopurinol', 'biopsy', 'jane', 'inpatient'];

  /** Under each category withheld, a record reads as `rest`, in which nothing of that category is named. */
  async function assertReadsAs(
    whole: readonly Json[],
    withheld: number,
    rest: readonly Json[],
  ): Promise<void> {
    const [record, other] = [await importRecord(whole), await importRecord(rest)];
    assert.deepEqual(await readBodies(record, withheld), await readBodies(other, withheld));
    await withhold(record, withheld);
    await withhold(other, withheld);
    for (const [tool, input] of [
      ...TOOLS.map((tool) => [tool, tool === 'get_health_summary' ? {} : { years: 150 }] as const),
      ...KINDS.map((kind) => ['get_other_records', { kind, years: 150 }] as const),
      ...QUERIES.map((query) => ['search', { query }] as const),
    ])
      assert.equal(await record.callTool(tool, input), await other.callTool(tool, input), tool);
  }

  const gout = { resourceType: 'Condition', id: 'gout', code: { text: 'Gout' } };
  const DIAGNOSES = labelBit('DIAGNOSES');
  const PROCEDURES = labelBit('PROCEDURES');

  it('is left out of a visit: its reasons and diagnoses, with their ranks and whatever narrative repeats them', async () => {
    const diagnosis = (condition: Json): Json => ({ condition, rank: 1, use: { text: 'billing' } });
    const whole = encounter({
      text: { status: 'generated', div: '<div>Gout</div>' },
      reasonReference: [{ reference: 'Condition/gout', display: 'Gout' }],
      diagnosis: [
        diagnosis({ reference: 'Condition/gout', display: 'Gout' }),
        diagnosis({ display: 'Gout' }),
        diagnosis({ reference: 'Procedure/biopsy', display: 'Biopsy' }),
      ],
    });
    await assertReadsAs([whole, gout], DIAGNOSES, [
      encounter({ diagnosis: [diagnosis({ reference: 'Procedure/biopsy', display: 'Biopsy' })] }),
    ]);
    await assertReadsAs([whole, gout], DIAGNOSES | PROCEDURES, [encounter({})]);
    await assertReadsAs([whole, gout], 0, [whole, gout]);
  });

  it('is left out of a prescription, and its search finds it only where it is shown', async () => {
    const order = (more: Json): Json => ({
      resourceType: 'MedicationRequest',
      id: 'm',
      status: 'active',
      intent: 'order',
      medicationCodeableConcept: { text: 'Allopurinol' },
      subject: { reference: 'Patient/p', display: 'Jane Real' },
      authoredOn: '2026-01-05',
      ...more,
    });
    const whole = order({
      encounter: { reference: 'Encounter/e', display: 'Office visit' },
      reasonReference: [{ reference: 'Condition/gout', display: 'Gout' }],
    });
    const visit = { encounter: { reference: 'Encounter/e', display: 'Office visit' } };
    await assertReadsAs([whole, gout, encounter({})], DIAGNOSES, [order(visit), encounter({})]);
    const reason = { reasonReference: [{ reference: 'Condition/gout', display: 'Gout' }] };
    await assertReadsAs([whole, gout, encounter({})], labelBit('VISITS'), [order(reason), gout]);
    const unnamed = { ...whole, subject: { reference: 'Patient/p' } };
    await assertReadsAs([whole, gout, encounter({})], labelBit('DEMOGRAPHICS'), [
      unnamed,
      gout,
      encounter({}),
    ]);
  });

  it('is left out of a bill: its codes, and the numbers that point to them', async () => {
    const bill = (more: Json): Json => ({
      resourceType: 'ExplanationOfBenefit',
      id: 'x',
      status: 'active',
      type: { text: 'professional' },
      ...more,
    });
    const item = { sequence: 1, diagnosisSequence: [1], productOrService: { text: 'Office visit' } };
    const whole = bill({
      diagnosis: [{ sequence: 1, diagnosisCodeableConcept: { text: 'Gout' } }],
      procedure: [{ sequence: 1, procedureReference: { reference: 'Procedure/biopsy' } }],
      item: [item, { ...item, productOrService: { coding: [{ system: 'http://loinc.org', code: '1-8' }] } }],
      total: [{ amount: { value: 20 } }],
    });
    await assertReadsAs([whole], labelBit('LABS') | labelBit('PROCEDURES') | DIAGNOSES, [
      bill({ total: [{ amount: { value: 20 } }] }),
    ]);
  });

  it('is left out of a provenance: what it is about, each by its own category and class', async () => {
    const provenance = (...targets: string[]): Json => ({
      resourceType: 'Provenance',
      id: 'pr',
      target: targets.map((reference) => ({ reference })),
      recorded: '2026-01-05T00:00:00Z',
      agent: [{ who: { display: 'Clinic, tel 555 123 4567' } }],
    });
    const hiv = { resourceType: 'Observation', id: 'o1', code: { text: 'HIV test' } };
    const other = { resourceType: 'Observation', id: 'o2', code: { text: 'Sodium' } };
    const all = provenance('Condition/gout', 'Observation/o1', 'Observation/o2');
    await assertReadsAs([all, gout, hiv, other], DIAGNOSES, [
      provenance('Observation/o1', 'Observation/o2'),
      hiv,
      other,
    ]);
    await assertReadsAs([all, gout, hiv, other], labelBit('HIV_OR_STI'), [
      provenance('Condition/gout', 'Observation/o2'),
      gout,
      other,
    ]);
    await assertReadsAs([all, gout, hiv, other], labelBit('CONTACT_INFO'), [
      { ...all, agent: undefined },
      gout,
      hiv,
      other,
    ]);
  });

  it('is left out with the narrative of the section, or of what is contained, that names it', async () => {
    const toText = (inner: string): Json => ({ status: 'generated', div: `<div>${inner}</div>` });
    const section = (more: Json): Json => ({ title: 'Section', ...more });
    const composition = (...sections: Json[]): Json => ({
      resourceType: 'Composition',
      id: 'c',
      status: 'final',
      type: { text: 'Summary' },
      section: sections,
    });
    const entry = [{ reference: 'Condition/gout' }];
    const biopsy = section({ text: toText('Punch specimen'), entry: [{ reference: 'Procedure/biopsy' }] });
    const whole = composition(
      section({ text: toText('Podagra of the toe'), entry, section: [section({ text: toText('Sodium') })] }),
      biopsy,
    );
    await assertReadsAs([whole, gout], DIAGNOSES, [
      composition(section({ section: [section({ text: toText('Sodium') })] }), biopsy),
    ]);
    await assertReadsAs([whole, gout], labelBit('VISITS'), [whole, gout]);
    const nested = composition(section({ section: [section({ text: toText('Podagra'), entry })] }), biopsy);
    await assertReadsAs([nested, gout], DIAGNOSES, [
      composition(section({ section: [section({})] }), biopsy),
    ]);
    // Named in another section by the words of the reference.
    const named = composition(
      section({ text: toText('Podagra'), entry: [{ reference: 'Condition/gout', display: 'Gout' }] }),
      section({ text: toText('Plan: diet for gout') }),
    );
    await assertReadsAs([named, gout], DIAGNOSES, [composition(section({}), section({}))]);
  });

  it('takes the resource with it that FHIR knows no form of without one', async () => {
    const reference = 'Condition/gout';
    const needing: Json[] = [
      { resourceType: 'Provenance', id: 'p', target: [{ reference }], recorded: '2026-01-05T00:00:00Z' },
      { resourceType: 'DocumentManifest', id: 'm', status: 'current', content: [{ reference }] },
      { resourceType: 'Linkage', id: 'l', item: [{ type: 'source', resource: { reference } }] },
    ];
    await assertReadsAs([...needing, gout], DIAGNOSES, []);
    await assertReadsAs([...needing, gout], PROCEDURES, [...needing, gout]);
  });

  it('case 538: takes the resource with it that would be about the patient without one', async () => {
    const fetus = { reference: 'RelatedPerson/f', display: 'Fetus' };
    const rate = (more: Json): Json => ({
      resourceType: 'Observation',
      id: 'o',
      status: 'final',
      category: [{ coding: [{ code: 'vital-signs' }] }],
      code: { text: 'Heart rate' },
      subject: { reference: 'Patient/p' },
      valueQuantity: { value: 150, unit: '/min' },
      ...more,
    });
    const url = 'http://hl7.org/fhir/StructureDefinition/observation-focal-subject';
    for (const about of [
      { focus: [fetus] },
      { focus: [fetus, { reference: 'RelatedPerson/g', display: 'Second fetus' }] },
      { extension: [{ url, valueReference: fetus }] },
    ])
      await assertReadsAs([rate(about)], labelBit('CONTACT_INFO'), []);
    const control = { reference: 'Device/d', display: 'QC control' };
    await assertReadsAs([rate({ subject: control })], PROCEDURES, []);
    const cuff = { focus: [{ reference: 'Device/d', display: 'Cuff' }] };
    await assertReadsAs([rate(cuff)], PROCEDURES, [rate({})]);
    const several = { focus: [fetus, { reference: 'Group/g', display: 'Twins' }] };
    await assertReadsAs([rate(several)], labelBit('CONTACT_INFO'), [rate({ focus: several.focus.slice(1) })]);
  });

  it('is left out whichever of both came first', async () => {
    const hiv = { resourceType: 'Observation', id: 'o1', code: { text: 'HIV test' }, category: LAB };
    const report = { resourceType: 'DiagnosticReport', id: 'r', code: { text: 'Panel' }, category: LAB };
    const whole = { ...report, result: [{ reference: 'Observation/o1' }, { reference: 'Observation/o2' }] };
    const withheld = labelBit('HIV_OR_STI');
    const rest = { ...report, result: [{ reference: 'Observation/o2' }] };
    for (const uploads of [[[whole], [hiv]], [[hiv], [whole]], [[whole, hiv]]] as Json[][][]) {
      const record = await importUploads(store.db, ...uploads);
      assert.deepEqual(await readBodies(record, withheld), [JSON.stringify(rest)]);
    }
  });

  it('case 542: is left out where it is withheld for more than the category of its type, whichever came first', async () => {
    const plain = {
      resourceType: 'MedicationRequest',
      id: 'mr',
      status: 'active',
      medicationCodeableConcept: { text: 'Allopurinol' },
    };
    const order = {
      ...plain,
      contained: [{ resourceType: 'Condition', id: 'c', code: { text: 'Gout' } }],
      reasonReference: [{ reference: '#c' }],
    };
    const named = { reference: 'MedicationRequest/mr', display: 'Allopurinol for gout' };
    const dispense = (more: Json): Json => ({
      resourceType: 'MedicationDispense',
      id: 'md',
      status: 'completed',
      medicationCodeableConcept: { text: 'Allopurinol' },
      ...more,
    });
    const text = { status: 'generated', div: '<div>Allopurinol for gout</div>' };
    const whole = dispense({ text, authorizingPrescription: [named] });
    const provenance = { resourceType: 'Provenance', id: 'v', target: [named] };
    const about = { resourceType: 'Provenance', id: 'w', target: [{ reference: 'Provenance/v' }] };
    const referring = [whole, provenance, about];
    const rest = [JSON.stringify(dispense({}))];
    for (const uploads of [
      [[order, ...referring]],
      [[order], referring],
      [referring, [order]],
      [[plain, ...referring], [order]],
    ]) {
      const record = await importUploads(store.db, ...uploads);
      assert.deepEqual(await readBodies(record, DIAGNOSES), rest);
      assert.equal((await readBodies(record, PROCEDURES)).length, 4);
    }
    await assertReadsAs([order, ...referring], DIAGNOSES, [dispense({})]);
    const item = { resourceType: 'ChargeItem', id: 'i', status: 'billed', code: { text: 'Biopsy' } };
    const invoice = (lines: Json): Json => ({ resourceType: 'Invoice', id: 'n', status: 'issued', ...lines });
    const line = { chargeItemReference: { reference: 'ChargeItem/i', display: 'Biopsy of the liver' } };
    await assertReadsAs([item, invoice({ lineItem: [line] })], PROCEDURES, [invoice({})]);
  });

  it('case 543: is left out as a code that R5 lets stand in place of a reference, and as a name beside it', async () => {
    const gout = { concept: { text: 'Gout' } };
    const named = { reference: { display: 'Gout' } };
    const plan = (more: Json): Json => ({
      resourceType: 'CarePlan',
      id: 'plan',
      status: 'active',
      title: 'Diet',
      ...more,
    });
    const order = (more: Json): Json => ({
      resourceType: 'MedicationRequest',
      id: 'mr',
      status: 'active',
      medicationCodeableConcept: { text: 'Allopurinol' },
      ...more,
    });
    for (const each of [gout, named]) {
      await assertReadsAs([encounter({ diagnosis: [{ condition: [each] }] })], DIAGNOSES, [encounter({})]);
      await assertReadsAs([plan({ addresses: [each, { reference: 'Procedure/p' }] })], DIAGNOSES, [
        plan({ addresses: [{ reference: 'Procedure/p' }] }),
      ]);
    }
    // As the code of R4 beside `reasonReference`, a reason in its own words stays.
    await assertReadsAs([order({ reason: [gout, named] })], DIAGNOSES, [order({ reason: [gout] })]);
    await assertReadsAs([encounter({ reason: [{ value: [named] }] })], DIAGNOSES, [encounter({})]);
    // What R4 calls otherwise.
    const given = (more: Json): Json => ({
      resourceType: 'Immunization',
      id: 'i',
      status: 'completed',
      vaccineCode: { text: 'MMR' },
      ...more,
    });
    for (const each of [gout, named])
      await assertReadsAs([given({ reaction: [{ manifestation: each }] })], DIAGNOSES | labelBit('LABS'), [
        given({}),
      ]);
    const done = (more: Json): Json => ({
      resourceType: 'Procedure',
      id: 'p',
      status: 'completed',
      code: { text: 'Hip' },
      ...more,
    });
    await assertReadsAs([done({ complication: [gout, named] })], DIAGNOSES, [done({ complication: [gout] })]);
  });

  it('case 363: is left out of the narrative that the tools read where a resource says no more', async () => {
    const plan = (more: Json): Json => ({
      resourceType: 'CarePlan',
      id: 'plan',
      status: 'active',
      intent: 'plan',
      subject: { reference: 'Patient/p', display: 'Jane Real' },
      ...more,
    });
    const order = (more: Json): Json => ({
      resourceType: 'NutritionOrder',
      id: 'diet',
      status: 'active',
      patient: { reference: 'Patient/p' },
      encounter: { reference: 'Encounter/e', display: 'Inpatient stay' },
      ...more,
    });
    const toText = (inner: string): Json => ({ status: 'additional', div: `<div>${inner}</div>` });
    const plans = ['Subject: Jane Real, azotemia', 'Real, <b>Jane</b>: azotemia', '&#74;ane <i>Real</i>'].map(
      (words) => plan({ text: toText(words) }),
    );
    for (const whole of plans) {
      const unnamed = plan({ subject: { reference: 'Patient/p' } });
      await assertReadsAs([whole], labelBit('DEMOGRAPHICS'), [unnamed]);
      await assertReadsAs([whole], labelBit('VISITS'), [whole]);
    }
    const whole = order({ text: toText('Encounter: Inpatient stay, gruel') });
    await assertReadsAs([whole], labelBit('VISITS'), [order({ encounter: undefined })]);
    await assertReadsAs([whole], labelBit('DEMOGRAPHICS'), [whole]);
  });

  it('case 364: the patient is left out by a name alone, wherever a device or a doctor might be named', async () => {
    const named = { display: 'Jane Real' };
    const apart = { reference: 'urn:uuid:00000000-0000-4000-8000-000000000001', display: 'Jane  Real' };
    const { display, ...unnamed } = apart;
    assert.equal(display, 'Jane  Real');
    const doctor = { display: 'Dr. Real' };
    const team = (subject: Json, members: readonly (Json | undefined)[]): Json => ({
      resourceType: 'CareTeam',
      id: 't',
      status: 'active',
      subject,
      participant: members.flatMap((member) => (member ? [{ role: [{ text: 'Self' }], member }] : [])),
    });
    const order = (subject: Json | undefined, requester: Json | undefined): Json => ({
      resourceType: 'ServiceRequest',
      id: 's',
      status: 'active',
      intent: 'order',
      subject,
      requester,
      code: { text: 'X-ray' },
    });
    const DEMOGRAPHICS = labelBit('DEMOGRAPHICS');
    await assertReadsAs([order(named, doctor)], DEMOGRAPHICS, [order(undefined, doctor)]);
    await assertReadsAs([order(named, named)], DEMOGRAPHICS, [order(undefined, undefined)]);
    await assertReadsAs([order(apart, { ...apart, display: 'Me' })], DEMOGRAPHICS, [order(unnamed, unnamed)]);
    await assertReadsAs([team(apart, [named, doctor])], DEMOGRAPHICS, [
      { ...team(unnamed, []), participant: [{ role: [{ text: 'Self' }] }, ...whoIs(doctor)] },
    ]);
    const visit = (subject: Json | undefined, individual: Json | undefined): Json =>
      encounter({ subject, participant: [{ type: [{ text: 'Escort' }], individual }] });
    await assertReadsAs([visit(named, named)], DEMOGRAPHICS, [visit(undefined, undefined)]);
    // A name with a telephone number needs both categories.
    const called = { display: 'Jane Real, 555 123 4567' };
    for (const withheld of [DEMOGRAPHICS, labelBit('CONTACT_INFO')])
      await assertReadsAs([order(called, doctor)], withheld, [order(undefined, doctor)]);
  });

  it('leaves the patient out by what an account or an entry of a log calls somebody beside the reference', async () => {
    const DEMOGRAPHICS = labelBit('DEMOGRAPHICS');
    const jane = { reference: 'Patient/p' };
    const doctor = { reference: 'Practitioner/d' };
    const account = (more: Json): Json => ({
      resourceType: 'Account',
      id: 'a',
      status: 'active',
      subject: [jane],
      ...more,
    });
    await assertReadsAs([account({ name: 'Billing for Jane Real' })], DEMOGRAPHICS, [account({})]);
    const log = (names: Json): Json => ({
      resourceType: 'AuditEvent',
      id: 'l',
      type: { code: 'rest' },
      recorded: '2026-01-05T00:00:00Z',
      agent: [
        { who: jane, ...names, requestor: true },
        { who: doctor, name: 'Dr. Real', requestor: false },
      ],
      entity: [
        { what: jane, ...names },
        { what: doctor, name: 'Dr. Real' },
      ],
    });
    await assertReadsAs([log({ name: 'Jane Real' })], DEMOGRAPHICS, [log({})]);
  });

  it('case 365: is left out however short it is: a name of two letters', async () => {
    const booked = (more: Json): Json => ({
      resourceType: 'ServiceRequest',
      id: 's',
      status: 'active',
      intent: 'order',
      code: { text: 'X-ray' },
      requester: { reference: 'Patient/p', ...more },
    });
    await assertReadsAs([booked({ display: '王伟' })], labelBit('DEMOGRAPHICS'), [booked({})]);
    await assertReadsAs([booked({ display: 'X' })], labelBit('DEMOGRAPHICS'), [booked({})]);
  });

  const hiv = {
    resourceType: 'Condition',
    id: 'p7',
    identifier: [{ system: 'urn:problems', value: 'P7' }],
    code: { coding: [{ system: 'http://hl7.org/fhir/sid/icd-10-cm', code: 'B20' }] },
  };
  const sti = { ...hiv, id: 'p8', identifier: [], code: { text: 'Syphilis' } };
  const schizophrenia = { ...hiv, id: 'f20', identifier: [], code: { text: 'Schizophrenia' } };
  const HIV = labelBit('HIV_OR_STI');

  it('case 485: takes the item of a bill with it that is for it alone, and the numbers of others', async () => {
    const bill = (resourceType: string, more: Json): Json => ({
      resourceType,
      id: 'x',
      status: 'active',
      type: { text: 'professional' },
      ...more,
    });
    const diagnosis = (sequence: number, id: string): Json => ({
      sequence,
      diagnosisReference: { reference: `Condition/${id}` },
    });
    const item = (sequence: number, more: Json): Json => ({
      sequence,
      productOrService: { coding: [{ system: 'urn:local', code: `S${sequence}` }] },
      net: { value: 100 + sequence, currency: 'USD' },
      ...more,
    });
    const added = (...itemSequence: number[]): Json => ({ itemSequence, net: { value: 5, currency: 'USD' } });
    const total = [{ amount: { value: 900 } }];
    const conditions = [gout, hiv, sti, schizophrenia];
    for (const type of ['Claim', 'ExplanationOfBenefit']) {
      const whole = bill(type, {
        diagnosis: [diagnosis(1, 'p7'), diagnosis(2, 'gout'), diagnosis(3, 'p8'), diagnosis(4, 'f20')],
        supportingInfo: [{ sequence: 1, valueReference: { reference: 'Condition/p7' } }],
        item: [
          item(1, { diagnosisSequence: [1] }),
          item(2, { diagnosisSequence: [2, 1] }),
          item(3, { diagnosisSequence: [1, 3] }),
          item(4, { diagnosisSequence: [2], informationSequence: [1] }),
          item(5, { diagnosisSequence: [4] }),
          item(6, { diagnosisSequence: [1, 4] }),
          item(7, { diagnosisSequence: [2], detail: [{ sequence: 1, productOrService: { text: 'x' } }] }),
        ],
        addItem: [added(1), added(1, 2), added(7)],
        total,
      });
      const rest = bill(type, {
        diagnosis: [diagnosis(2, 'gout'), diagnosis(4, 'f20')],
        item: [
          item(2, { diagnosisSequence: [2] }),
          item(5, { diagnosisSequence: [4] }),
          item(7, { diagnosisSequence: [2], detail: [{ sequence: 1, productOrService: { text: 'x' } }] }),
        ],
        addItem: [added(2), added(7)],
        total,
      });
      await assertReadsAs([whole, ...conditions], HIV, [rest, gout, schizophrenia]);
      await assertReadsAs([whole, ...conditions], labelBit('SICKLE_CELL'), [whole, ...conditions]);
    }
    const claim = bill('Claim', {
      diagnosis: [diagnosis(1, 'p7'), diagnosis(2, 'gout')],
      item: [item(1, { diagnosisSequence: [1] }), item(2, { diagnosisSequence: [2] })],
    });
    const answer = (more: Json): Json => ({
      ...bill('ClaimResponse', more),
      id: 'y',
      request: { reference: 'Claim/x' },
      total,
    });
    const adjudicated = (itemSequence: number): Json => ({
      itemSequence,
      adjudication: [{ amount: { value: 100 + itemSequence } }],
    });
    const answered = answer({
      item: [adjudicated(1), adjudicated(2)],
      error: [{ itemSequence: 1, code: { text: 'x' } }],
    });
    const left = [
      bill('Claim', {
        diagnosis: [diagnosis(2, 'gout')],
        item: [item(2, { diagnosisSequence: [2] })],
      }),
      answer({ item: [adjudicated(2)] }),
    ];
    await assertReadsAs([claim, answered, gout, hiv], HIV, [...left, gout]);
    await assertReadsAs([answered, hiv, claim, gout], HIV, [...left.toReversed(), gout]);
  });

  const ICD = 'http://hl7.org/fhir/sid/icd-10-cm';
  const coded = (code: string, system = ICD): Json => ({ coding: [{ system, code }] });

  it('case 484: takes a diagnosis, procedure or information that a bill itself codes with its items, and not the bill', async () => {
    const item = (sequence: number, more: Json): Json => ({
      sequence,
      productOrService: coded('99213', 'http://www.ama-assn.org/go/cpt'),
      net: { value: 100 + sequence, currency: 'USD' },
      ...more,
    });
    const bill = (resourceType: string, more: Json): Json => ({
      resourceType,
      id: 'x',
      status: 'active',
      type: { text: 'professional' },
      total: [{ amount: { value: 900 } }],
      ...more,
    });
    const arm = { sequence: 1, diagnosisCodeableConcept: coded('S52.501A') };
    const mind = { sequence: 2, diagnosisCodeableConcept: coded('F32.9'), packageCode: { text: 'package' } };
    const text = { status: 'generated', div: '<div>S52.501A, F32.9</div>' };
    const MIND = labelBit('MENTAL_HEALTH');
    for (const [type, whole, rest] of [
      ...['Claim', 'ExplanationOfBenefit'].map(
        (type) =>
          [
            type,
            {
              text,
              diagnosis: [arm, mind],
              procedure: [
                { sequence: 1, procedureCodeableConcept: coded('25600', 'http://www.ama-assn.org/go/cpt') },
                { sequence: 2, procedureCodeableConcept: coded('90834', 'http://www.ama-assn.org/go/cpt') },
              ],
              supportingInfo: [{ sequence: 1, category: { text: 'info' }, valueString: 'PHQ-9' }],
              item: [
                item(1, { diagnosisSequence: [1] }),
                item(2, { diagnosisSequence: [2] }),
                item(3, { diagnosisSequence: [1, 2], informationSequence: [1] }),
                item(4, { procedureSequence: [2] }),
                item(5, { diagnosisSequence: [1, 2], procedureSequence: [1] }),
              ],
            },
            {
              diagnosis: [arm],
              procedure: [
                { sequence: 1, procedureCodeableConcept: coded('25600', 'http://www.ama-assn.org/go/cpt') },
              ],
              item: [
                item(1, { diagnosisSequence: [1] }),
                item(5, { diagnosisSequence: [1], procedureSequence: [1] }),
              ],
            },
          ] as const,
      ),
      [
        'Claim',
        {
          diagnosis: [arm, mind],
          information: [{ sequence: 7, valueString: 'Depression' }],
          item: [1, 2, 3].map((n) =>
            item(n, n === 3 ? { informationLinkId: [7] } : { diagnosisLinkId: [n] }),
          ),
        },
        { diagnosis: [arm], item: [item(1, { diagnosisLinkId: [1] })] },
      ],
    ] as const) {
      await assertReadsAs([bill(type, whole)], MIND, [bill(type, rest)]);
      await assertReadsAs([bill(type, whole)], labelBit('SICKLE_CELL'), [bill(type, whole)]);
    }
    const answer = (...items: number[]): Json => ({
      ...bill('ClaimResponse', { item: items.map((itemSequence) => ({ itemSequence, adjudication: [{}] })) }),
      id: 'y',
      request: { reference: 'Claim/x' },
    });
    const claim = bill('Claim', {
      diagnosis: [arm, mind],
      item: [item(1, { diagnosisSequence: [1] }), item(2, { diagnosisSequence: [2] })],
    });
    const left = bill('Claim', { diagnosis: [arm], item: [item(1, { diagnosisSequence: [1] })] });
    await assertReadsAs([claim, answer(1, 2)], MIND, [left, answer(1)]);
    await assertReadsAs([answer(1, 2), claim], MIND, [answer(1), left]);
  });

  it('case 494: takes the items of answers that name the claim by its address or an identifier, whichever came first', async () => {
    const identifier = { system: 'urn:c', value: 'C1' };
    const named = (...numbers: number[]) =>
      [
        {
          resourceType: 'Claim',
          id: 'x',
          identifier: [identifier],
          diagnosis: numbers.map((sequence) => ({
            sequence,
            diagnosisCodeableConcept: coded(sequence === 1 ? 'S52.501A' : 'F32.9'),
          })),
          item: numbers.map((sequence) => ({ sequence, diagnosisSequence: [sequence] })),
        },
        (claim: Json): Json[] => [
          {
            resourceType: 'ClaimResponse',
            id: 'y',
            request: claim,
            item: numbers.map((itemSequence) => ({ itemSequence, adjudication: [{}] })),
          },
          {
            resourceType: 'ExplanationOfBenefit',
            id: 'z',
            claim,
            item: numbers.map((n) => ({ sequence: n + 4, diagnosisSequence: [n] })),
            addItem: numbers.map((n) => ({ itemSequence: [n + 4], net: { value: 5, currency: 'USD' } })),
          },
        ],
      ] as const;
    const [claim, answer] = named(1, 2);
    const [left, leftAnswer] = named(1);
    const MIND = labelBit('MENTAL_HEALTH');
    for (const by of [
      { identifier },
      { reference: 'Claim?identifier=urn:c|C1' },
      { reference: 'Claim/x' },
      { reference: '/fhir/Claim/x' },
    ]) {
      const [answers, leftAnswers] = [answer(by), leftAnswer(by)];
      for (const [batches, rest] of [
        [[[claim, ...answers]], [left, ...leftAnswers]],
        [[[...answers, claim]], [...leftAnswers, left]],
        [
          [answers, [claim]],
          [...leftAnswers, left],
        ],
        [
          [[claim], answers],
          [left, ...leftAnswers],
        ],
        [
          [[left, ...answers], [claim]],
          [left, ...leftAnswers],
        ],
      ] as const) {
        const record = await importRecord(batches[0]);
        for (const batch of batches.slice(1))
          await importBatch(
            store.db,
            record,
            batch.map((each) => JSON.stringify(each)),
          );
        assert.deepEqual(
          (await readBodies(record, MIND)).map((body) => JSON.parse(body) as unknown),
          (await readBodies(await importRecord(rest), MIND)).map((body) => JSON.parse(body) as unknown),
          JSON.stringify(by),
        );
      }
    }
  });

  it('case 484: leaves the whole bill out where anything else of it is of that class', async () => {
    for (const more of [
      { type: { text: 'Psychiatric care' } },
      { item: [{ sequence: 1, productOrService: { text: 'Psychotherapy' } }] },
      { item: [{ sequence: 1, diagnosisSequence: [1], note: [{ text: 'for depression' }] }] },
      { insurance: [{ coverage: { display: 'Behavioral health plan' } }] },
      { meta: { security: [{ system: 'http://terminology.hl7.org/CodeSystem/v3-ActCode', code: 'MH' }] } },
      { contained: [{ resourceType: 'Condition', id: 'c', code: { text: 'Depression' } }] },
    ]) {
      const claim = {
        resourceType: 'Claim',
        id: 'x',
        status: 'active',
        diagnosis: [{ sequence: 2, diagnosisCodeableConcept: coded('F32.9') }],
        ...more,
      };
      await assertReadsAs([claim, gout], labelBit('MENTAL_HEALTH'), [gout]);
    }
  });

  const visit = (...conditions: Json[]): Json =>
    encounter({ diagnosis: conditions.map((condition) => ({ condition, rank: 1 })) });

  it('case 486: is left out by its identifier alone, and by its address wherever that stands', async () => {
    const other = { identifier: { system: 'urn:problems', value: 'P8' }, type: 'Condition' };
    for (const condition of [
      { identifier: { system: 'urn:problems', value: 'P7' }, type: 'Condition' },
      { identifier: { system: 'urn:problems', value: 'P7' } },
      { identifier: { value: 'P7' }, display: 'Known problem' },
      { reference: 'Condition?identifier=urn:problems%7CP7' },
    ])
      await assertReadsAs([visit(condition, other), gout, hiv], HIV, [visit(other), gout]);
    const toText = (inner: string): Json => ({ status: 'generated', div: `<div>${inner}</div>` });
    const harmless = 'http://hl7.org/fhir/StructureDefinition/Condition-p7';
    for (const [whole, rest] of [
      [{ text: toText('<a href="Condition/p7">1</a>') }, {}],
      [{ text: toText('see Condition&#47;p7.') }, {}],
      [{ extension: [{ url: 'urn:x', valueUri: 'Condition/p7' }] }, {}],
      [{ extension: [{ url: harmless, valueUrl: 'https://ehr.example/Condition/p7/_history/2' }] }, {}],
      [{ extension: [{ url: harmless, valueUrl: harmless }] }, null],
      [{ extension: [{ url: 'http://ehr.example/Condition/p7', valueBoolean: true }] }, null],
      [{ extension: [{ url: 'urn:x', valueUri: 'Condition/gout' }] }, null],
      [{ instantiatesUri: ['Condition/p7', harmless] }, { instantiatesUri: [harmless] }],
      [
        { input: [{ valueUri: 'Condition/p7' }, { valueUri: harmless }] },
        { input: [{ valueUri: harmless }] },
      ],
      [{ serviceProvider: { display: 'Clinic', type: 'Organization' }, x: { y: 'Condition/none' } }, null],
    ] as [Json, Json | null][])
      await assertReadsAs([encounter(whole), gout, hiv], HIV, [encounter(rest ?? whole), gout]);
    await assertReadsAs(
      [encounter({ text: toText('<a href="Condition/gout">1</a>') }), gout, hiv],
      DIAGNOSES,
      [encounter({})],
    );
  });

  /** Asserts that a visit is shown without its reason by this reference, in whichever uploads they come. */
  async function assertLeftOutOfVisit(reference: string): Promise<void> {
    const other = { reference: 'Condition/gout' };
    const named = { reference, display: 'His illness' };
    await assertReadsAs([visit(named, other), gout, hiv], HIV, [visit(other), gout]);
    const record = await importUploads(store.db, [visit(named, other), sti], [gout], [hiv]);
    assert.deepEqual(
      await readBodies(record, HIV),
      [visit(other), gout].map((each) => JSON.stringify(each)),
      reference,
    );
  }

  it('case 525: is left out in whatever form it is written, with what it is called there', async () => {
    for (const reference of [
      'Condition?_id=p7',
      '/Condition/p7',
      'Condition/p7#x',
      'Condition/p7/',
      'Condition?_id=p7&clinical-status=active',
      'https://ehr.example/fhir/Condition?clinical-status=active&_id=p7',
    ])
      await assertLeftOutOfVisit(reference);
    for (const valueUri of ['Condition?_id=p7', 'https://ehr.example/fhir/Condition?x=y&_id=p7'])
      await assertReadsAs([encounter({ extension: [{ url: 'urn:x', valueUri }] }), gout, hiv], HIV, [
        encounter({}),
        gout,
      ]);
  });

  it('case 558: is left out with a path before or behind its address, whichever came first', async () => {
    for (const reference of [
      '/fhir/Condition/p7',
      'R4/Condition/p7',
      '../Condition/p7',
      'Patient/p/Condition/p7',
      'Condition/p7/Observation/9',
      'Condition/p7/Patient/9',
      'https://ehr.example/fhir/Patient/p/Condition/p7',
    ])
      await assertLeftOutOfVisit(reference);
  });

  it('case 536: is left out by each address and each id of a search that a text may have, in any encoding', async () => {
    const long = `?${'a'.repeat(2100)}`;
    const written: Json[] = [];
    for (const text of [
      ...['|1', '%20', '%', '&x', ',Condition/zz', ';v=1', '/_history', long].map(
        (end) => `Condition/p7${end}`,
      ),
      ...['p7%20', '%20p7', '%70%37', 'p7,zz', 'zz,p7', 'zz , p7'].map((ids) => `Condition?_id=${ids}`),
      'Condition?_id:exact=p7',
      'Condition%2Fp7',
      'Condition%3F_id=p7',
      'HTTPS://ehr.example/fhir/Condition/p7',
      'Condition?identifier=urn:problems|P7',
    ]) {
      const forms: Json[] = [
        { reasonReference: [{ reference: text, display: 'His illness' }] },
        { extension: [{ url: 'urn:x', valueString: text }] },
        { text: { status: 'generated', div: `<div><a href="${text}">x</a></div>` } },
      ];
      written.push(...forms);
    }
    const named = written.map((form, index) => encounter({ id: `e${index}`, ...form }));
    const shown = written.map((_, index) => encounter({ id: `e${index}` }));
    await assertReadsAs([...named, gout, hiv], HIV, [...shown, gout]);
  });

  it('case 487: is left out of what came before it, by an identifier or an address too', async () => {
    const named = { identifier: { system: 'urn:problems', value: 'P7' } };
    const linked = { extension: [{ url: 'urn:x', valueUri: 'Condition/p7' }] };
    const both = visit({ reference: 'Condition/p8' }, named);
    const [first, second] = [both, { ...both, ...linked }].map((each, index) => ({
      ...each,
      id: `e${index}`,
    }));
    const record = await importUploads(store.db, [first, second, sti], [gout], [hiv]);
    const rest = [encounter({ id: 'e0' }), encounter({ id: 'e1' }), gout];
    assert.deepEqual(
      await readBodies(record, HIV),
      rest.map((each) => JSON.stringify(each)),
    );
  });

  it('case 546: has no name of a record that is withheld where what the sender calls it is left out', async () => {
    const meta = { security: [{ system: 'http://terminology.hl7.org/CodeSystem/v3-ActCode', code: 'PSY' }] };
    const ward = { resourceType: 'Location', id: 'w', name: 'Psychiatric ward 7', meta };
    const doctor = { resourceType: 'Practitioner', id: 'd', name: [{ text: 'Dr. Psyche' }], meta };
    const MENTAL_HEALTH = toLabelMask(['MENTAL_HEALTH']);
    const reading = (more: Json): Json => ({
      resourceType: 'Observation',
      id: 'reading',
      status: 'final',
      category: [{ coding: [{ code: 'vital-signs' }] }],
      code: { text: 'Room temperature' },
      effectiveDateTime: '2026-01-05',
      valueQuantity: { value: 21, unit: 'C' },
      ...more,
    });
    for (const about of [
      { subject: { reference: 'Location/w', display: 'Ward' } },
      { subject: { reference: 'Practitioner/d', display: 'Somebody' } },
      { focus: [{ reference: 'Location/w', display: 'Ward 555-123-4567' }] },
      { performer: [{ reference: 'Location/w', display: 'Ward 555-123-4567' }] },
      { device: { reference: 'Location/w', display: 'Ward 555-123-4567' } },
    ]) {
      const record = await importRecord([reading(about), ward, doctor]);
      for (const labels of [0, labelBit('DEMOGRAPHICS'), labelBit('CONTACT_INFO')]) {
        await withhold(record, labels | MENTAL_HEALTH);
        for (const [tool, input] of [
          ['search', { query: 'psychiatric ward reading temperature psyche' }],
          ['get_other_records', { years: 150 }],
          ['get_vitals', { years: 150 }],
        ] as const)
          assert.doesNotMatch(await record.callTool(tool, input), /Psych/);
      }
    }
  });

  it('leaves everything where every category is shared', async () => {
    const whole = encounter({ diagnosis: [{ condition: { reference: 'Condition/gout' } }] });
    const record = await importRecord([whole, gout]);
    assert.deepEqual(await readBodies(record, 0), [JSON.stringify(whole), JSON.stringify(gout)]);
    assert.equal(ResourceScope.options.length, 18);
  });

  describe('a visit of a protected class', () => {
    const identifier = { system: 'urn:v', value: '77' };
    const prenatal = encounter({ id: 'v', type: [{ text: 'Prenatal visit' }], identifier: [identifier] });
    const office = encounter({});
    const REPRODUCTIVE = labelBit('REPRODUCTIVE_HEALTH_DATA');
    const kept = { reference: 'Encounter/e', display: 'Office visit' };

    /** What lists visits, with whatever it says of each beside the reference. */
    const LISTINGS: readonly ((named: readonly Json[]) => Json)[] = [
      (target) => ({ resourceType: 'Provenance', id: 'l', target, recorded: '2026-01-05T00:00:00Z' }),
      (named) => ({
        resourceType: 'Provenance',
        id: 'l',
        target: [{ reference: 'Patient/p' }],
        entity: named.map((what) => ({ role: 'source', what })),
      }),
      (named) => ({
        resourceType: 'AuditEvent',
        id: 'l',
        recorded: '2026-01-05T00:00:00Z',
        entity: named.map((what) => ({ what, name: 'Visit', description: 'Read at noon' })),
      }),
      (named) => ({
        resourceType: 'List',
        id: 'l',
        status: 'current',
        mode: 'working',
        title: 'Visits',
        entry: named.map((item) => ({ item, date: '2026-01-05' })),
      }),
      (entry) => ({
        resourceType: 'Composition',
        id: 'l',
        status: 'final',
        type: { text: 'Summary' },
        section: [{ title: 'All', section: [{ title: 'Visits', entry }] }],
      }),
      (named) => ({
        resourceType: 'Linkage',
        id: 'l',
        item: named.map((resource) => ({ type: 'alternate', resource })),
      }),
      (focus) => ({ resourceType: 'MessageHeader', id: 'l', eventCoding: { code: 'x' }, focus }),
    ];

    it('case 595: is left out of what lists it among others, by whatever it is named, whichever came first', async () => {
      const ways: Json[] = [
        { reference: 'Encounter/v', display: 'Visit' },
        { identifier },
        { reference: 'Encounter?identifier=urn:v|77' },
        { reference: 'Encounter?_id=v' },
        { reference: 'Encounter/v%' },
        { reference: 'Encounter/nowhere', identifier },
      ];
      // All in one record: each by its own id.
      const both = ways.flatMap((named, way) =>
        LISTINGS.map((toListing, index) => {
          const id = `l${index}-${way}`;
          return [
            { ...toListing([kept, named]), id },
            { ...toListing([kept]), id },
          ] as const;
        }),
      );
      const [whole, rest] = [both.map(([each]) => each), both.map(([, each]) => each)];
      const visits = [prenatal, office];
      for (const uploads of [[[...whole, ...visits]], [whole, visits], [visits, whole]]) {
        const record = await importUploads(store.db, ...uploads);
        const wanted = [...rest, office].map((each) => JSON.stringify(each));
        assert.deepEqual((await readBodies(record, REPRODUCTIVE)).toSorted(), wanted.toSorted());
        assert.equal((await readBodies(record, labelBit('HIV_OR_STI'))).length, whole.length + 2);
      }
    });

    it('case 595: is left out with the narrative beside it, and takes all with it that is nothing without it', async () => {
      const named = { reference: 'Encounter/v', display: 'Visit' };
      const text = { status: 'generated', div: '<div>Check-up with the team of the bay</div>' };
      for (const toListing of LISTINGS) {
        const whole = { ...toListing([kept, named]), text };
        await assertReadsAs([whole, prenatal, office], REPRODUCTIVE, [toListing([kept]), office]);
      }
      const alone = LISTINGS.filter((_, index) => index === 0 || index === 5).map((each) => each([named]));
      assert.deepEqual(
        alone.map(({ resourceType }) => resourceType),
        ['Provenance', 'Linkage'],
      );
      for (const each of alone) await assertReadsAs([each, prenatal, office], REPRODUCTIVE, [office]);
    });

    it('case 595: takes all with it that says what it is, or is of that visit', async () => {
      const at = { reference: 'Encounter/v' };
      const whole = LISTINGS.flatMap((toListing, index): Json[] => {
        const listing = toListing([kept]);
        return [
          { ...toListing([kept, { ...at, display: 'Prenatal visit' }]), id: `told-${index}` },
          { ...listing, id: `extended-${index}`, extension: [{ url: 'urn:x', valueReference: at }] },
          // R4 has it of a List and a Composition, R5 of a Provenance and an AuditEvent as well.
          { ...listing, id: `of-${index}`, encounter: at },
        ];
      });
      const result = { resourceType: 'Observation', id: 'o', code: { text: 'Sodium' }, encounter: at };
      await assertReadsAs([...whole, result, prenatal, office], REPRODUCTIVE, [office]);
    });

    it('case 596: is left out of the Provenance of 4,000 resources', async () => {
      const others = Array.from({ length: 4000 }, (_, index) => ({ reference: `Condition/c${index}` }));
      const toProvenance = (...target: Json[]): Json => ({ resourceType: 'Provenance', id: 'pr', target });
      const whole = toProvenance(...others, { reference: 'Encounter/v' }, kept);
      for (const [withheld, rest] of [
        [REPRODUCTIVE, [toProvenance(...others, kept), office]],
        [DIAGNOSES, [toProvenance({ reference: 'Encounter/v' }, kept), prenatal, office]],
      ] as const) {
        const record = await importRecord([whole, prenatal, office]);
        assert.deepEqual(
          await readBodies(record, withheld),
          rest.map((each) => JSON.stringify(each)),
        );
      }
    });
  });
});

const whoIs = (member: Json): Json[] => [{ role: [{ text: 'Self' }], member }];

const LAB = [{ coding: [{ code: 'laboratory' }] }, { coding: [{ code: 'LAB' }] }];
