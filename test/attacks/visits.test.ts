import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { labelBit } from '../../server/consent/access/sensitivity-labels.ts';
import { rebuildEntries } from '../../server/clinical/ingest/import/rebuild-entries.ts';
import { sql } from '../../server/platform/db/sql.ts';
import type { Chart } from '../harness/chart.ts';
import { importUploads, selectLabels } from '../harness/import-record.ts';
import { openTestStore, type TestStore } from '../harness/store.ts';
import { getVocabulary } from '../harness/vocabulary.ts';

type Json = Record<string, unknown>;

const visit = (id: string, name: string, more: Json = {}): Json => ({
  resourceType: 'Encounter',
  id,
  status: 'finished',
  class: { code: 'IMP' },
  type: [{ text: name }],
  period: { start: '2026-01-05' },
  ...more,
});

const makePart = (id: string): Json => ({ partOf: { reference: `Encounter/${id}` } });

const ASSOCIATED = 'http://hl7.org/fhir/StructureDefinition/encounter-associatedEncounter';

const associated = (id: string): Json => ({
  extension: [{ url: ASSOCIATED, valueReference: { reference: `Encounter/${id}` } }],
});

const lab = (id: string, encounter: Json): Json => ({
  resourceType: 'Observation',
  id,
  status: 'final',
  effectiveDateTime: '2026-01-05',
  category: [{ coding: [{ code: 'laboratory' }] }],
  code: { text: 'Potassium' },
  valueQuantity: { value: 4, unit: 'mmol/L' },
  encounter,
});

const at = (id: string): Json => ({ reference: `Encounter/${id}` });

const MENTAL_HEALTH = labelBit('MENTAL_HEALTH');
const [VISITS, LABS] = [labelBit('VISITS'), labelBit('LABS')];

describe('what belongs to a visit', () => {
  let store: TestStore;
  before(async () => {
    store = await openTestStore('embedded');
  });
  after(() => store.remove());

  /** The labels of all visits and results of a record, beyond their category. */
  const labelUploads = async (...uploads: Json[][]): Promise<Json> =>
    readLabels(await importUploads(store.db, ...uploads));

  const rereadRecord = ({ patientId, deps: { clock } }: Chart): Promise<void> =>
    rebuildEntries(
      { db: store.db, clock, extractText: async () => null, getVocabulary },
      { patientId, batchId: null },
    );

  async function readLabels(record: Chart): Promise<Json> {
    const rows = await store.db.query(selectLabels(record));
    return Object.fromEntries(
      rows
        .filter(({ reference }) => /^(Encounter|Observation)\//.test(reference))
        .map((row) => [row.reference.split('/')[1], row.required_labels & ~(VISITS | LABS)]),
    );
  }

  async function selectBodies({ patientId }: Chart): Promise<Map<string, Json>> {
    const rows = await store.db.query(
      sql<{
        fhir_id: string;
        body: string;
      }>`select fhir_id, body from resource where patient_id = ${patientId}`,
    );
    return new Map(rows.map(({ fhir_id: id, body }) => [id, JSON.parse(body) as Json]));
  }

  const later = [{ resourceType: 'Condition', id: 'x', code: { text: 'Gout' } }];

  it('case 479: needs no class where visits are part of others, of themselves or in a circle, and none has any', async () => {
    const stay = visit('stay', 'Pneumonia');
    const ward = visit('ward', 'Ward', makePart('stay'));
    for (const uploads of [
      [[ward, lab('k', at('ward')), stay]],
      [[stay, ward, lab('k', at('ward'))], later],
      [[ward, lab('k', at('ward'))], [stay]],
      [[stay], [ward, lab('k', at('ward'))]],
    ])
      assert.deepEqual(await labelUploads(...uploads), { stay: 0, ward: 0, k: 0 });
    const chain = ['a', 'b', 'c', 'd'].map((id, index, ids) =>
      visit(id, 'Ward', makePart(ids[index + 1] ?? 'a')),
    );
    for (const order of [chain, chain.toReversed()])
      assert.deepEqual(await labelUploads([...order, lab('k', at('a'))], later), {
        a: 0,
        b: 0,
        c: 0,
        d: 0,
        k: 0,
      });
    const mutual = [visit('m', 'Mother', associated('n')), visit('n', 'Newborn', associated('m'))];
    const self = visit('self', 'Stay', makePart('self'));
    assert.deepEqual(await labelUploads([...mutual, self, lab('k', at('m')), lab('na', at('self'))]), {
      m: 0,
      n: 0,
      self: 0,
      k: 0,
      na: 0,
    });
    // A place may name a visit, too: both are labeled after it.
    const place = {
      resourceType: 'Location',
      id: 'l',
      name: 'Room 1',
      extension: [{ url: 'urn:x', valueReference: at('stay') }],
    };
    const placed = { ...stay, location: [{ location: { reference: 'Location/l' } }] };
    assert.deepEqual(await labelUploads([place, placed, lab('k', at('stay'))]), { stay: 0, k: 0 });
  });

  it('case 479: needs none any more where visits were stored with all classes, when they are read anew', async () => {
    const record = await importUploads(store.db, [
      visit('stay', 'Stay', makePart('ward')),
      visit('ward', 'Ward', makePart('stay')),
      lab('k', at('ward')),
    ]);
    const { patientId } = record;
    await store.db.query(sql`update resource_label set required_labels = -1 where patient_id = ${patientId}`);
    await rereadRecord(record);
    assert.deepEqual(await readLabels(record), { stay: 0, ward: 0, k: 0 });
  });

  it('case 479: needs the classes of the stay that its visit is part of, not those of its other parts', async () => {
    const stay = visit('stay', 'Psychiatry stay');
    const ward = visit('ward', 'Ward', makePart('stay'));
    const bed = visit('bed', 'Bed', { partOf: { identifier: { value: '12' } } });
    const numbered = { ...ward, identifier: [{ system: 'urn:v', value: '12' }] };
    const all = { stay: MENTAL_HEALTH, ward: MENTAL_HEALTH, bed: MENTAL_HEALTH, k: MENTAL_HEALTH };
    for (const uploads of [
      [[bed, numbered, stay, lab('k', at('bed'))]],
      [[bed, lab('k', at('bed'))], [numbered], [stay]],
      [[stay], [numbered], [bed, lab('k', at('bed'))]],
    ])
      assert.deepEqual(await labelUploads(...uploads), all);
    const general = [visit('stay', 'Pneumonia'), visit('ward', 'Psychiatry', makePart('stay'))];
    assert.deepEqual(
      await labelUploads([
        ...general,
        visit('icu', 'Ward', makePart('stay')),
        lab('k', at('stay')),
        lab('na', at('icu')),
      ]),
      { stay: 0, ward: MENTAL_HEALTH, icu: 0, k: 0, na: 0 },
    );
    const mutual = [visit('m', 'Psychiatry', associated('n')), visit('n', 'Newborn', associated('m'))];
    assert.deepEqual(await labelUploads([...mutual, lab('k', at('n'))]), {
      m: MENTAL_HEALTH,
      n: MENTAL_HEALTH,
      k: MENTAL_HEALTH,
    });
  });

  const numbered = { identifier: [{ system: 'urn:v', value: '77' }] };
  const psychiatry = visit('psy', 'Psychiatry visit', numbered);
  const identifier = { system: 'urn:v', value: '77' };

  it('case 480: needs the classes of a visit that it names by an identifier or a search, whichever came first', async () => {
    const facts = [
      lab('system', { identifier }),
      lab('type', { identifier, type: 'Encounter' }),
      lab('value', { identifier: { value: '77' } }),
      lab('search', { reference: 'Encounter?identifier=urn:v|77' }),
      lab('number', { reference: 'Encounter?identifier=77' }),
      lab('server', { reference: 'https://ehr.example/fhir/Encounter?identifier=urn:v%7C77' }),
      lab('open', { reference: 'Encounter/gone', identifier }),
      { ...lab('stu3', {}), encounter: undefined, context: { identifier } },
    ];
    const wanted = Object.fromEntries(facts.map(({ id }) => [id, MENTAL_HEALTH]));
    const same = visit('same', 'Office visit', numbered);
    for (const uploads of [
      [[...facts, psychiatry, same]],
      [[same, psychiatry], facts],
      [facts, [psychiatry, same], later],
    ])
      assert.deepEqual(await labelUploads(...uploads), { psy: MENTAL_HEALTH, same: 0, ...wanted });
    // A search leads to the only one that it finds when it comes, and is a reference to it from then on.
    const found = { search: 0, number: 0 };
    assert.deepEqual(await labelUploads(facts, [same], [psychiatry]), {
      psy: MENTAL_HEALTH,
      same: 0,
      ...wanted,
      ...found,
    });
  });

  it('case 506: needs the classes of the only visit that a search finds, in the same upload or another', async () => {
    const facts = [
      lab('search', { reference: 'Encounter?identifier=urn:v|77' }),
      lab('number', { reference: 'Encounter?identifier=77' }),
      lab('none', { reference: 'Encounter?identifier=urn:v|78' }),
    ];
    const wanted = { psy: MENTAL_HEALTH, search: MENTAL_HEALTH, number: MENTAL_HEALTH, none: 0 };
    for (const uploads of [
      [[...facts, psychiatry]],
      [[psychiatry, ...facts]],
      [[psychiatry], facts],
      [facts, [psychiatry]],
    ])
      assert.deepEqual(await labelUploads(...uploads), wanted);
  });

  it('case 517: needs the classes of each visit that a search of several names, and is linked to none', async () => {
    const office = visit('office', 'Office visit', { identifier: [{ system: 'urn:v', value: '78' }] });
    const facts = [
      lab('both', { reference: 'Encounter?identifier=urn:v|77&identifier=urn:v|78' }),
      lab('either', { reference: 'Encounter?identifier=urn:v|77,urn:v|78' }),
      lab('encoded', { reference: 'Encounter?identifier=urn:v%7C77%2Curn:v%7C78' }),
      lab('more', { reference: 'Encounter?status=planned&identifier=urn:v|77&_id=office' }),
      lab('exact', { reference: 'Encounter?identifier:exact=urn:v|77' }),
    ];
    const wanted = Object.fromEntries(facts.map(({ id }) => [id, MENTAL_HEALTH]));
    for (const uploads of [
      [[...facts, psychiatry, office]],
      [[office, psychiatry], facts],
      [facts, [psychiatry], [office]],
    ]) {
      const record = await importUploads(store.db, ...uploads);
      assert.deepEqual(await readLabels(record), { psy: MENTAL_HEALTH, office: 0, ...wanted });
      const bodies = await selectBodies(record);
      for (const { id, encounter } of facts)
        assert.deepEqual(bodies.get(String(id))?.['encounter'], encounter);
    }
  });

  it('case 517: takes a value without a system for that of a visit without one', async () => {
    const bare = visit('bare', 'Psychiatry visit', { identifier: [{ value: '77' }] });
    const fact = lab('bare-fact', { reference: 'Encounter?identifier=|77' });
    assert.deepEqual(await labelUploads([psychiatry, fact]), { psy: MENTAL_HEALTH, 'bare-fact': 0 });
    for (const uploads of [[[bare, fact]], [[bare], [fact]], [[fact], [bare]]]) {
      const record = await importUploads(store.db, ...uploads);
      assert.deepEqual(await readLabels(record), { bare: MENTAL_HEALTH, 'bare-fact': MENTAL_HEALTH });
      assert.deepEqual((await selectBodies(record)).get('bare-fact')?.['encounter'], at('bare'));
    }
  });

  it('case 518: is linked to no visit of its upload where an earlier one has the identifier too', async () => {
    const same = visit('same', 'Office visit', numbered);
    const fact = lab('k', { reference: 'Encounter?identifier=urn:v|77' });
    for (const uploads of [
      [[psychiatry], [same, fact]],
      [[same], [psychiatry, fact]],
      [[psychiatry], [same], [fact]],
      [[psychiatry, same], [fact]],
    ]) {
      const record = await importUploads(store.db, ...uploads);
      assert.deepEqual(await readLabels(record), { psy: MENTAL_HEALTH, same: 0, k: MENTAL_HEALTH });
      assert.deepEqual((await selectBodies(record)).get('k')?.['encounter'], fact['encounter']);
    }
    // One visit, sent again with what names it, is one.
    const again = await importUploads(store.db, [psychiatry], [psychiatry, fact]);
    assert.deepEqual((await selectBodies(again)).get('k')?.['encounter'], at('psy'));
    // It has handed its number on.
    const rest = ['a', 'b', 'c'].map((id) => visit(id, `Office visit ${id}`));
    const renumbered = { ...psychiatry, identifier: [{ system: 'urn:v', value: '79' }] };
    const handed = await importUploads(store.db, [psychiatry, ...rest], [renumbered, ...rest, same, fact]);
    assert.deepEqual((await selectBodies(handed)).get('k')?.['encounter'], at('same'));
  });

  it('case 524: needs the classes of a visit in whatever form it names it, whichever came first', async () => {
    const linked = [
      'Encounter?_id=psy',
      '/Encounter/psy',
      '/Encounter?_id=psy',
      'Encounter/psy#x',
      'Encounter/psy/',
      'Encounter/psy?_format=json',
    ];
    const searches = [
      'Encounter?_id=psy&status=finished',
      'Encounter?_id=office,psy',
      'https://ehr.example/fhir/Encounter?status=finished&_id=psy',
    ];
    const facts = [...linked, ...searches].map((reference, index) => lab(`k${index}`, { reference }));
    const other = lab('other', { reference: 'Encounter?_id=office' });
    const office = visit('office', 'Office visit');
    const wanted = Object.fromEntries(facts.map(({ id }) => [id, MENTAL_HEALTH]));
    for (const uploads of [
      [[...facts, other, psychiatry, office]],
      [
        [office, psychiatry],
        [...facts, other],
      ],
      [
        [...facts, other],
        [psychiatry, office],
      ],
    ]) {
      const record = await importUploads(store.db, ...uploads);
      assert.deepEqual(await readLabels(record), { psy: MENTAL_HEALTH, office: 0, other: 0, ...wanted });
      const bodies = await selectBodies(record);
      assert.deepEqual(
        facts.map(({ id }) => bodies.get(String(id))?.['encounter']),
        [...linked.map(() => at('psy')), ...searches.map((reference) => ({ reference }))],
      );
    }
  });

  it('case 558: needs the classes of a visit that it names with a path before or behind the address', async () => {
    const facts = [
      '/fhir/Encounter/psy',
      'R4/Encounter/psy',
      '../Encounter/psy',
      'Patient/p/Encounter/psy',
      'Encounter/psy/Observation/9',
    ].map((reference, index) => lab(`k${index}`, { reference }));
    const by: Json = {
      ...lab('by', {}),
      encounter: undefined,
      performer: [{ reference: 'Encounter/psy/Practitioner/9' }],
    };
    const named = Object.fromEntries([...facts, by].map(({ id }) => [id, MENTAL_HEALTH]));
    for (const uploads of [
      [[...facts, by, psychiatry]],
      [[psychiatry], [...facts, by]],
      [[...facts, by], [psychiatry]],
    ]) {
      const record = await importUploads(store.db, ...uploads);
      assert.deepEqual(await readLabels(record), { psy: MENTAL_HEALTH, ...named });
      await rereadRecord(record);
      assert.deepEqual(await readLabels(record), { psy: MENTAL_HEALTH, ...named });
      const bodies = await selectBodies(record);
      for (const { id, encounter } of facts)
        assert.deepEqual(bodies.get(String(id))?.['encounter'], encounter);
    }
  });

  it('case 524: takes a search by an id for the id at the source, whatever id the record has given', async () => {
    const long = 'x'.repeat(100);
    const record = await importUploads(
      store.db,
      [{ ...psychiatry, id: long }],
      [lab('linked', { reference: `Encounter?_id=${long}` })],
      [lab('search', { reference: `Encounter?status=finished&_id=${long}` })],
    );
    const { linked, search } = await readLabels(record);
    assert.deepEqual([linked, search], [MENTAL_HEALTH, MENTAL_HEALTH]);
  });

  const toLocation = (reference: string, display?: string): Json => ({
    location: [{ location: { reference, ...(display !== undefined && { display }) } }],
  });
  const place = (id: string, more: Json): Json => ({ resourceType: 'Location', id, ...more });
  const HL7 = 'http://terminology.hl7.org/CodeSystem';
  const psychiatric = [
    place('name', { name: 'Inpatient Psychiatric Unit' }),
    place('type', { name: '4 West', type: [{ text: 'Psychiatric unit' }] }),
    place('code', { name: '4 West', type: [{ coding: [{ system: `${HL7}/v3-RoleCode`, code: 'PHU' }] }] }),
    place('label', { name: '4 West', meta: { security: [{ system: `${HL7}/v3-ActCode`, code: 'PSY' }] } }),
    place('described', { description: 'Psychiatric unit' }),
    place('room', { name: 'Room 1', partOf: { reference: 'Location/name', display: '4 West' } }),
    place('run', {
      name: '4 West',
      managingOrganization: { reference: 'Organization/hospital', display: 'Bay' },
    }),
    { resourceType: 'Organization', id: 'hospital', name: 'Bay Psychiatric Hospital' },
    { resourceType: 'HealthcareService', id: 'service', specialty: [{ text: 'Psychiatry' }] },
  ];
  const addresses = psychiatric.map(({ resourceType, id }) => `${String(resourceType)}/${String(id)}`);

  it('case 526: needs the classes of the place where it was, whatever it calls that, whichever came first', async () => {
    const visits = addresses.flatMap((reference, index) => [
      visit(`v${index}`, 'Stay', toLocation(reference)),
      visit(`d${index}`, 'Stay', toLocation(reference, '4 West')),
    ]);
    const others = [
      visit('provided', 'Stay', { serviceProvider: { reference: 'Organization/hospital', display: 'Bay' } }),
      visit('from', 'Stay', {
        hospitalization: { origin: { reference: 'Location/type', display: '4 West' } },
      }),
      visit('to', 'Stay', {
        hospitalization: { destination: { reference: 'Location/type', display: 'Home' } },
      }),
    ];
    const facts = [...visits, ...others].map(({ id }) => lab(`k-${String(id)}`, at(String(id))));
    const performer = [{ reference: 'Organization/hospital', display: 'Bay' }];
    const done: Json = { ...lab('done', at('none')), performer };
    const all = [...visits, ...others, ...facts, done];
    const wanted = Object.fromEntries(all.map(({ id }) => [id, MENTAL_HEALTH]));
    for (const uploads of [[[...all, ...psychiatric]], [psychiatric, all], [all, psychiatric]])
      assert.deepEqual(await labelUploads(...uploads), wanted);
  });

  it('case 537: needs the classes of what a place says itself of its wholes, and of what a service is for', async () => {
    const display = 'Bay Psychiatric Hospital';
    const org: Json = { resourceType: 'Organization', id: 'o', name: display };
    const service = (id: string, more: Json): Json => ({ resourceType: 'HealthcareService', id, ...more });
    const places = [
      place('p1', { name: 'Bed 3', partOf: { display: 'Psychiatric Ward' } }),
      place('p2', { name: 'Bed 3', partOf: { reference: 'Location/away', display: 'Psychiatric Ward' } }),
      place('p3', { name: 'Suite 3', managingOrganization: { display } }),
      place('p4', { name: 'Suite 3', contained: [org], managingOrganization: { reference: '#o' } }),
      place('p5', { alias: ['Psychiatric Ward'] }),
      service('s1', { name: 'Day clinic', providedBy: { display } }),
      service('s2', { name: 'Day clinic', program: [{ text: 'Psychiatric rehabilitation' }] }),
      service('s3', { name: 'Day clinic', serviceProvisionCode: [{ text: 'Psychiatric care' }] }),
      service('s4', { comment: 'Psychiatric day clinic' }),
      { resourceType: 'Organization', id: 'o1', alias: [display] },
    ];
    const visits = places.map(({ resourceType, id }) =>
      visit(`v-${String(id)}`, 'Stay', toLocation(`${String(resourceType)}/${String(id)}`, 'Here')),
    );
    const wanted = Object.fromEntries(visits.map(({ id }) => [id, MENTAL_HEALTH]));
    for (const uploads of [[[...visits, ...places]], [visits, places]])
      assert.deepEqual(await labelUploads(...uploads), wanted);
    const general = place('g', {
      name: 'Reception',
      contained: [{ ...org, name: 'Bay Hospital', alias: [display] }],
      managingOrganization: { reference: '#o' },
    });
    assert.deepEqual(await labelUploads([visit('v', 'Stay', toLocation('Location/g')), general]), { v: 0 });
  });

  it('case 527: needs none of what a place only mentions, or has apart from it', async () => {
    const general = [
      {
        resourceType: 'Organization',
        id: 'h',
        name: 'Bay Hospital',
        alias: ['Bay Department of Psychiatry'],
      },
      place('desk', {
        name: 'Reception',
        description: 'Also of the psychiatric unit',
        managingOrganization: { reference: 'Organization/h' },
        extension: [{ url: 'urn:x', valueString: 'Psychiatric unit' }],
      }),
      place('ward', { name: '5 East', partOf: { reference: 'Location/desk' } }),
      place('unit', { name: 'Psychiatric unit', partOf: { reference: 'Location/ward' } }),
    ];
    const visits = [
      visit('a', 'Stay', {
        ...toLocation('Location/desk'),
        serviceProvider: { reference: 'Organization/h' },
      }),
      visit('b', 'Stay', toLocation('Location/ward', '5 East')),
    ];
    const done = { ...lab('done', at('a')), performer: [{ reference: 'Organization/h' }] };
    const wanted = { a: 0, b: 0, done: 0 };
    for (const uploads of [
      [[...visits, done, ...general]],
      [general, [...visits, done]],
      [[...visits, done], general],
    ])
      assert.deepEqual(await labelUploads(...uploads), wanted);
  });

  it('case 480: needs none of a visit that only resembles the one it names', async () => {
    const facts = [
      lab('held', { ...at('office'), identifier }),
      lab('other', { identifier: { system: 'urn:w', value: '77' } }),
      lab('value', { identifier: { value: '78' } }),
      lab('episode', { type: 'EpisodeOfCare', identifier }),
      { ...lab('who', at('office')), performer: [{ identifier: { value: '77' } }], specimen: { identifier } },
    ];
    assert.deepEqual(await labelUploads([psychiatry, visit('office', 'Office visit'), ...facts]), {
      psy: MENTAL_HEALTH,
      office: 0,
      ...Object.fromEntries(facts.map(({ id }) => [id, 0])),
    });
  });
});
