import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { FHIR_RESOURCE_TYPES } from '../../contract/fhir/fhir-resource-types.ts';
import { toLabelMask } from '../../server/consent/access/sensitivity-labels.ts';
import { rebuildEntries } from '../../server/clinical/ingest/import/rebuild-entries.ts';
import { listMentions } from '../../server/clinical/labels/mentions.ts';
import { redactBody, type RedactedRow } from '../../server/clinical/labels/redact.ts';
import { PARTY_TYPES } from '../../server/clinical/store/party-types.ts';
import type { ParsedResource } from '../../server/clinical/store/found-resource.ts';
import { sql } from '../../server/platform/db/sql.ts';
import { RestrictedScope } from '../../contract/data-categories.ts';
import type { Chart } from '../harness/chart.ts';
import { buildAt, listReferenceTargets } from '../harness/fhir-definitions.ts';
import { importUploads } from '../harness/import-record.ts';
import { openTestStore, type TestStore } from '../harness/store.ts';
import { getVocabulary } from '../harness/vocabulary.ts';

type Json = Record<string, unknown>;

/** What a consent to nothing but what is normal leaves out. */
const RESTRICTED = toLabelMask(RestrictedScope.options);

const NPI = 'http://hl7.org/fhir/sid/us-npi';
const to = (reference: string): Json => ({ reference });
const byIdentifier = (value: string, system = NPI): Json => ({ identifier: { system, value } });

const SUBJECT = { subject: to('Patient/p') };
const visit = (id: string, more: Json): Json => ({
  resourceType: 'Encounter',
  id,
  status: 'finished',
  class: { code: 'AMB' },
  period: { start: '2026-01-05' },
  ...SUBJECT,
  ...more,
});
const lab = (id: string, more: Json): Json => ({
  resourceType: 'Observation',
  id,
  status: 'final',
  code: { text: 'Potassium' },
  effectiveDateTime: '2026-01-05',
  valueString: '4',
  ...SUBJECT,
  ...more,
});
const order = (id: string, more: Json): Json => ({
  resourceType: 'MedicationRequest',
  id,
  status: 'active',
  intent: 'order',
  ...SUBJECT,
  ...more,
});

const ward = {
  resourceType: 'Location',
  id: 'w',
  name: 'Psychiatric ward',
  identifier: [{ system: 'urn:l', value: 'W4' }],
};
const clinic = {
  resourceType: 'Organization',
  id: 'c',
  name: 'Methadone clinic East',
  identifier: [{ system: NPI, value: '1999999999' }],
};
const doctor = {
  resourceType: 'Practitioner',
  id: 'd',
  name: [{ family: 'Mind' }],
  identifier: [{ system: NPI, value: '1888888888' }],
  qualification: [{ code: { text: 'Addiction psychiatrist' } }],
};
const drug = {
  resourceType: 'Medication',
  id: 'm',
  code: { text: 'Sertraline' },
  identifier: [{ system: 'urn:m', value: 'X1' }],
};
const hospital = {
  resourceType: 'Organization',
  id: 'h',
  name: 'Bay Hospital',
  alias: ['Bay Department of Psychiatry'],
  identifier: [{ system: NPI, value: '1777777777' }],
};
const team = {
  resourceType: 'CareTeam',
  id: 't',
  name: 'Addiction team',
  identifier: [{ system: 'urn:t', value: 'T1' }],
};
const withheld: Json[] = [ward, clinic, doctor, drug, team];

describe('who did something, where and with what', () => {
  let store: TestStore;
  before(async () => {
    store = await openTestStore('embedded');
  });
  after(() => store.remove());

  /** The bodies that a consent to what is normal shows, by id at the source. */
  async function readShown({ patientId }: Chart): Promise<Map<string, Json>> {
    const rows = await store.db.query(sql<RedactedRow & { source_id: string; body: string }>`
      select source_id, body, required_labels, redactions from resource join resource_label using (patient_id, seq)
      where patient_id = ${patientId} order by seq`);
    return new Map(
      rows
        .filter((row) => ((row.required_labels ?? -1) & RESTRICTED) === 0)
        .map((row) => [
          row.source_id,
          JSON.parse(redactBody(Buffer.from(row.body), row, [RESTRICTED]).toString()) as Json,
        ]),
    );
  }

  const readAnew = (record: Chart): Promise<void> =>
    rebuildEntries(
      { db: store.db, clock: record.deps.clock, extractText: async () => null, getVocabulary },
      { patientId: record.patientId, batchId: null },
    );

  /** The ids of the facts that are shown, which are the same in whichever uploads they come, and when they are read anew. */
  async function findShown(facts: readonly Json[], parties: readonly Json[]): Promise<string[]> {
    const found = new Set<string>();
    for (const uploads of [
      [[...facts, ...parties]],
      [facts, parties],
      [parties, facts],
      ...(facts.length < 4 ? [[...facts, ...parties].map((each) => [each])] : []),
    ]) {
      const record = await importUploads(store.db, ...uploads);
      const read = async (): Promise<unknown> =>
        found.add([...(await readShown(record)).keys()].toSorted().join());
      await read();
      await readAnew(record);
      await read();
    }
    assert.equal(found.size, 1, [...found].join(' | '));
    const [shown = ''] = found;
    const ids = new Set(facts.map(({ id }) => id));
    return shown.split(',').filter((id) => ids.has(id));
  }

  it('case 553: makes a fact as sensitive where an identifier alone names it, whichever came first', async () => {
    const hidden = [
      visit('v1', { location: [{ location: byIdentifier('W4', 'urn:l') }] }),
      visit('v2', { serviceProvider: byIdentifier('1999999999') }),
      visit('v3', { participant: [{ individual: byIdentifier('1888888888') }] }),
      visit('v4', { serviceProvider: { identifier: { value: '1999999999' } } }),
      lab('l1', { performer: [byIdentifier('1999999999')] }),
      lab('l2', { encounter: to('Encounter/v2') }),
      lab('l3', { performer: [{ ...byIdentifier('1888888888'), type: 'Practitioner' }] }),
      lab('l4', { extension: [{ url: 'urn:x', valueReference: byIdentifier('1999999999') }] }),
      lab('l5', { performer: [to(`Practitioner?identifier=${NPI}|1888888888`)] }),
      lab('l6', { performer: [byIdentifier('T1', 'urn:t')] }),
      order('o1', { medicationReference: byIdentifier('X1', 'urn:m') }),
      lab('l7', { performer: [{ reference: 'Organization/away', ...byIdentifier('1999999999') }] }),
    ];
    const shown = [
      visit('s1', { serviceProvider: byIdentifier('1777777777') }),
      visit('s2', { location: [{ location: byIdentifier('1888888888') }] }),
      lab('s3', { performer: [byIdentifier('1999999999', 'urn:other')] }),
      lab('s4', { performer: [{ ...byIdentifier('1999999999'), type: 'Practitioner' }] }),
      lab('s5', { performer: [{ reference: 'Organization/h', ...byIdentifier('1999999999') }] }),
      lab('s6', { extension: [{ url: 'urn:x', valueReference: { identifier: { value: 'W4' } } }] }),
    ];
    assert.deepEqual(
      await findShown([...hidden, ...shown], [...withheld, hospital]),
      shown.map(({ id }) => id),
    );
  });

  it('case 553: makes a fact as sensitive in whatever element names it', async () => {
    const [place, group, who] = [to('Location/w'), to('Organization/c'), to('Practitioner/d')];
    const facts = [
      { resourceType: 'Claim', facility: place },
      { resourceType: 'ExplanationOfBenefit', careTeam: [{ sequence: 1, provider: who }] },
      { resourceType: 'ExplanationOfBenefit', item: [{ sequence: 1, locationReference: place }] },
      { resourceType: 'DocumentReference', authenticator: who },
      { resourceType: 'Composition', attester: [{ mode: 'legal', party: who }] },
      { resourceType: 'CarePlan', activity: [{ detail: { location: place } }] },
      { resourceType: 'CarePlan', careTeam: [to('CareTeam/t')] },
      { resourceType: 'Specimen', collection: { collector: who } },
      { resourceType: 'Task', owner: group },
      { resourceType: 'Account', owner: group },
      { resourceType: 'Schedule', actor: [who] },
      { resourceType: 'Media', operator: who },
      { resourceType: 'Condition', code: { text: 'Gout' }, note: [{ authorReference: who, text: 'ok' }] },
      {
        resourceType: 'Condition',
        code: { text: 'Gout' },
        extension: [{ url: 'urn:x', valueReference: group }],
      },
      order('', { medicationCodeableConcept: { text: 'Tablet' }, dispenseRequest: { performer: group } }),
    ].map((fact, index): Json => ({ ...fact, id: `f${index}` }));
    assert.deepEqual(await findShown(facts, withheld), []);
    const general = facts.map((fact): Json =>
      JSON.parse(
        JSON.stringify(fact).replaceAll(
          /(?:Location|Organization|Practitioner|CareTeam)\/\w/g,
          'Organization/h',
        ),
      ),
    );
    assert.deepEqual(await findShown(general, [hospital]), general.map(({ id }) => String(id)).toSorted());
  });

  it('case 553: is left out alone where a resource is about somebody, lists others, or has a number of theirs', async () => {
    const [group, who] = [to('Organization/c'), to('Practitioner/d')];
    const [other, role] = [to('Organization/h'), { text: 'nurse' }];
    const whole: Json[] = [
      { resourceType: 'Patient', id: 'p', managingOrganization: group, generalPractitioner: [who, other] },
      { resourceType: 'Patient', id: 'q', generalPractitioner: [byIdentifier('1888888888')] },
      { resourceType: 'Coverage', id: 'cov', beneficiary: to('Patient/p'), payor: [group, other] },
      {
        resourceType: 'CareTeam',
        id: 'ct',
        participant: [
          { role: [role], member: other },
          { role: [role], member: who },
          { member: other, onBehalfOf: group },
        ],
      },
      {
        resourceType: 'Condition',
        id: 'g',
        code: { text: 'Gout' },
        identifier: [{ value: '1', assigner: group }],
      },
      {
        resourceType: 'Provenance',
        id: 'pr',
        target: [to('Condition/g')],
        agent: [{ who: other }, { who, onBehalfOf: group }],
      },
      { resourceType: 'List', id: 'ls', entry: [{ item: who }, { item: other }] },
    ];
    const expected: Json[] = [
      { resourceType: 'Patient', id: 'p', generalPractitioner: [other] },
      { resourceType: 'Patient', id: 'q' },
      { resourceType: 'Coverage', id: 'cov', beneficiary: to('Patient/p'), payor: [other] },
      { resourceType: 'CareTeam', id: 'ct', participant: [{ role: [role], member: other }] },
      { resourceType: 'Condition', id: 'g', code: { text: 'Gout' }, identifier: [{ value: '1' }] },
      { resourceType: 'Provenance', id: 'pr', target: [to('Condition/g')], agent: [{ who: other }] },
      { resourceType: 'List', id: 'ls', entry: [{ item: other }] },
    ];
    for (const uploads of [
      [[...whole, ...withheld, hospital]],
      [whole, [...withheld, hospital]],
      [[...withheld, hospital], whole],
    ]) {
      const record = await importUploads(store.db, ...uploads);
      for (const read of [async () => {}, () => readAnew(record)]) {
        await read();
        const shown = await readShown(record);
        assert.deepEqual(
          expected.map(({ id }) => shown.get(String(id))),
          expected,
        );
      }
    }
  });

  it('case 553: is found at every place of FHIR R4', () => {
    for (const [path, targets] of Object.entries(listReferenceTargets()))
      for (const type of targets.split(' ').filter((each) => PARTY_TYPES.has(each))) {
        if (!FHIR_RESOURCE_TYPES.has(path.split('.')[0] ?? '')) continue;
        const mentions = listMentions(buildAt(path, to(`${type}/x`)) as unknown as ParsedResource);
        const isFound = mentions.some(
          ({ parties, isLeftOut, target }) =>
            parties?.some(({ reference }) => reference === `${type}/x`) === true ||
            (isLeftOut === true && target === `${type}/x`),
        );
        assert.ok(isFound, `${path} to ${type}`);
      }
  });

  it('case 553: is as sensitive as what it is of: a role, a bed, a department, and what is contained', async () => {
    const role = (id: string, more: Json): Json => ({ resourceType: 'PractitionerRole', id, ...more });
    const parties: Json[] = [
      ...withheld,
      hospital,
      { resourceType: 'HealthcareService', id: 's', name: 'Addiction medicine' },
      role('r1', { practitioner: to('Practitioner/d') }),
      role('r2', { location: [to('Location/w')] }),
      role('r3', { healthcareService: [to('HealthcareService/s')] }),
      role('r4', { organization: byIdentifier('1999999999') }),
      role('r5', { organization: to('Organization/h') }),
      { resourceType: 'Location', id: 'bed', name: 'Bed 1', partOf: to('Location/room') },
      { resourceType: 'Location', id: 'room', name: 'Room 1', partOf: byIdentifier('W4', 'urn:l') },
      { resourceType: 'Organization', id: 'unit', name: 'Day unit', partOf: to('Organization/c') },
      { resourceType: 'Location', id: 'desk', name: 'Desk', managingOrganization: to('Organization/unit') },
      { resourceType: 'Organization', id: 'psych', name: 'Psychiatry', partOf: to('Organization/h') },
    ];
    const contain = (reference: string, each: Json): Json => ({
      contained: [{ id: 'i', ...each }],
      ...(reference === 'encounter' ? { encounter: to('#i') } : { performer: [to('#i')] }),
    });
    const hidden = [
      ...['r1', 'r2', 'r3', 'r4'].map((id) => lab(`k${id}`, { performer: [to(`PractitionerRole/${id}`)] })),
      visit('bedded', { location: [{ location: to('Location/bed') }] }),
      visit('united', { serviceProvider: to('Organization/unit') }),
      visit('desked', { location: [{ location: to('Location/desk') }] }),
      visit('roled', { participant: [{ individual: to('PractitionerRole/r1') }] }),
      lab(
        'c1',
        contain('encounter', { resourceType: 'Encounter', location: [{ location: to('Location/w') }] }),
      ),
      lab(
        'c2',
        contain('performer', { resourceType: 'PractitionerRole', organization: to('Organization/c') }),
      ),
      lab('c3', contain('performer', { resourceType: 'Organization', partOf: to('Organization/c') })),
    ];
    const shown = [
      lab('s1', { performer: [to('PractitionerRole/r5')] }),
      visit('s2', { serviceProvider: to('Organization/h') }),
      lab(
        's3',
        contain('performer', { resourceType: 'PractitionerRole', organization: to('Organization/h') }),
      ),
    ];
    assert.deepEqual(await findShown([...hidden, ...shown], parties), ['s1', 's2', 's3']);
  });

  it('case 553: is read in titles before and behind a name, and in addresses', async () => {
    const named = (id: string, suffix: string): Json => ({
      resourceType: 'Practitioner',
      id,
      name: [{ family: 'Roe', given: ['Jane'], prefix: ['Dr.'], suffix: [suffix] }],
    });
    const seen = (id: string, reference: string): Json =>
      visit(id, { participant: [{ individual: to(reference) }] });
    const hidden = [
      seen('a', 'Practitioner/x1'),
      seen('b', 'Practitioner/x2'),
      lab('c', { performer: [to('Organization/opioid-treatment-program')] }),
      lab('d', { encounter: to('https://methadone-clinic.example.org/fhir/Encounter/77') }),
      lab('e', { performer: [to('https://psychiatry.example.org/fhir/Practitioner/77')] }),
      lab('f', { subject: to('https://psychiatry.example.org/fhir/Patient/77') }),
      lab('g', { performer: [to('Organization?name=psychiatry')] }),
    ];
    const shown = [
      seen('s1', 'Practitioner/x3'),
      lab('s2', { performer: [to('https://ehr.example.org/fhir/Practitioner/77')] }),
      lab('s3', { performer: [to('urn:uuid:00000000-0000-4000-8000-000000000001')] }),
      lab('s4', { subject: to('Patient/psychiatry-77') }),
    ];
    const part = visit('s5', {
      diagnosis: [{ condition: to('Condition/hiv-1') }, { condition: to('Condition/flu-1') }],
    });
    const parties = [named('x1', 'Psychiatrist'), named('x2', 'PMHNP-BC'), named('x3', 'MD')];
    assert.deepEqual(await findShown([...hidden, ...shown, part], parties), ['s1', 's2', 's3', 's4', 's5']);
    const record = await importUploads(store.db, [part]);
    assert.deepEqual((await readShown(record)).get('s5')?.['diagnosis'], [
      { condition: to('Condition/flu-1') },
    ]);
    // Whoever is treated may have such a title.
    const patient = { ...named('y', 'Psychiatrist'), resourceType: 'Patient' };
    assert.ok((await readShown(await importUploads(store.db, [patient]))).has('y'));
  });
});
