import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { DataMask } from '../../../contract/brands.ts';
import { parseResource } from '../store/parse-resource.ts';
import { listMentions } from './mentions.ts';
import { findVisits, spreadVisitLabels, type VisitNode } from './visits.ts';

const list = (resource: object): string[] => {
  const parsed = parseResource(JSON.stringify({ id: 'x', ...resource }));
  return findVisits(parsed, listMentions(parsed)).map(({ reference, name }) => `${reference} ${name}`);
};

describe('findVisits', () => {
  const identifier = { system: 'urn:v', value: '77' };
  const observe = (encounter: object): string[] => list({ resourceType: 'Observation', encounter });

  it('finds addresses, however they are written, and in any element', () => {
    for (const reference of [
      'Encounter/v',
      'Encounter/v/_history/2',
      'Encounter/v#1',
      '/Encounter/v',
      'Encounter/v/',
    ])
      assert.deepEqual(observe({ reference }), ['Encounter/v null']);
    const escaped = parseResource(
      String.raw`{"resourceType":"Observation","encounter":{"reference":"Encounter\/v"}}`,
    );
    assert.deepEqual(findVisits(escaped, listMentions(escaped)), [{ reference: 'Encounter/v', name: null }]);
    const valueReference = { reference: 'Encounter/v' };
    assert.deepEqual(list({ resourceType: 'Goal', extension: [{ url: 'urn:x', valueReference }] }), [
      'Encounter/v null',
    ]);
    assert.deepEqual(observe({ reference: 'Encounter/v', identifier }), ['Encounter/v Encounter|urn:v|77']);
  });

  it('case 480: finds identifiers, searches by them, and contained visits that have one', () => {
    for (const encounter of [
      { identifier },
      { identifier, reference: 'urn:uuid:00000000-0000-4000-8000-000000000001' },
      { reference: 'Encounter?identifier=urn:v|77' },
      { reference: 'Encounter?identifier=urn%3Av%7C77' },
      { reference: 'https://ehr.example/fhir/Encounter?identifier=urn:v|77' },
    ])
      assert.deepEqual(observe(encounter), ['null Encounter|urn:v|77']);
    assert.deepEqual(observe({ reference: 'Encounter?identifier=77' }), ['null Encounter|77']);
    assert.deepEqual(observe({ reference: '/Encounter?identifier=|77' }), ['null Encounter||77']);
    assert.deepEqual(observe({ reference: 'Encounter?identifier=urn:v|77&status=x&identifier=78' }), [
      'null Encounter|urn:v|77',
      'null Encounter|78',
    ]);
    assert.deepEqual(observe({ identifier: { value: '77' } }), ['null Encounter|77']);
    const contained = [{ resourceType: 'Encounter', id: 'v', identifier: [identifier] }];
    assert.deepEqual(list({ resourceType: 'Observation', contained, encounter: { reference: '#v' } }), [
      'null Encounter|urn:v|77',
    ]);
    for (const context of [{ identifier }, [{ identifier }]])
      for (const resourceType of ['MedicationDispense', 'Observation'])
        assert.deepEqual(list({ resourceType, context }), ['null |urn:v|77']);
  });

  it('case 524: finds searches by an id, beside anything else and at the address of a server', () => {
    for (const reference of [
      'Encounter?_id=v',
      '/Encounter?_id=v',
      'Encounter?_id=v&status=finished',
      'Encounter?status=finished&_id=v#1',
      'https://ehr.example/fhir/Encounter?_id=v',
    ])
      assert.deepEqual(observe({ reference }), ['null Encounter?_id=v']);
  });

  it('case 535: finds addresses with anything before and behind them that is no letter of an id', () => {
    for (const [reference, wanted] of [
      ['Encounter/v|1', ['Encounter/v null']],
      ['Encounter/v%20', ['Encounter/v null']],
      [`Encounter/v?${'a'.repeat(2100)}`, ['Encounter/v null']],
      ['Encounter?_id= v', ['null Encounter?_id=v']],
      ['Encounter%3F_id=v', ['null Encounter?_id=v']],
      ['HTTPS://ehr.example/fhir/Encounter?_id=v', ['null Encounter?_id=v']],
      ...['%', ';v=1', '&x', ')', '\u200b', '/_history'].map(
        (end) => [`Encounter/v${end}`, ['Encounter/v Encounter?_id=v']] as const,
      ),
      ...[',', ' ', '+'].map(
        (between) =>
          [
            `Encounter/v${between}Encounter/w`,
            ['Encounter/v Encounter?_id=v', 'Encounter/w Encounter?_id=w'],
          ] as const,
      ),
    ] as const)
      assert.deepEqual(observe({ reference }), wanted, reference);
    for (const reference of ['https://ehr.example/fhir/Encounter/v', 'xEncounter/v%', 'Encounter/'])
      assert.deepEqual(observe({ reference }), []);
  });

  it('case 558: finds addresses with a path before them, or behind', () => {
    for (const reference of [
      '/fhir/Encounter/v',
      'R4/Encounter/v',
      '../Encounter/v',
      'Patient/p/Encounter/v',
      'Encounter/v/Observation/9',
      'Encounter/v/Practitioner/9',
      'Encounter/v/Patient/9',
      'https://ehr.example/fhir/Patient/p/Encounter/v',
    ])
      for (const resource of [{ encounter: { reference } }, { performer: [{ reference }] }])
        assert.deepEqual(
          list({ resourceType: 'Observation', ...resource }),
          ['Encounter/v Encounter?_id=v'],
          reference,
        );
    for (const reference of [
      'https://ehr.example/fhir/R4/Encounter/v',
      'https://patient/fhir/Encounter/v/_history/1',
    ])
      assert.deepEqual(observe({ reference }), []);
  });

  it('takes no number without a system for a visit where anything may be named, and no person, place or diagnosis', () => {
    const valueReference = { identifier: { value: '77' } };
    const extension = [{ url: 'urn:x', valueReference }];
    assert.deepEqual(list({ resourceType: 'Observation', extension }), []);
    assert.deepEqual(
      list({
        resourceType: 'Procedure',
        subject: { identifier },
        performer: [{ actor: { identifier } }],
        location: { identifier },
        reasonReference: [{ identifier }],
      }),
      [],
    );
  });
});

describe('spreadVisitLabels', () => {
  const node = (seq: number, labels: number, more: Partial<VisitNode> = {}): VisitNode => ({
    seq,
    reference: `Encounter/${seq}`,
    names: [],
    labels: labels as DataMask,
    visits: [],
    shown: [],
    ...more,
  });
  const toParts = (...seqs: number[]): Pick<VisitNode, 'visits'> => ({
    visits: seqs.map((seq) => ({ reference: `Encounter/${seq}`, name: null })),
  });
  const spread = (...nodes: VisitNode[]): [number, number][] => [...spreadVisitLabels(nodes)];

  it('gives no visit more than its own where nothing that it names has any', () => {
    assert.deepEqual(spread(node(1, 0, toParts(2)), node(2, 0, toParts(1)), node(3, 0, toParts(3, 9))), []);
  });

  it('gives parts the classes of the whole, through any number of them and in any order, and not the other way round', () => {
    const chain = [node(1, 0, toParts(2)), node(2, 1, toParts(3)), node(3, 0, toParts(4)), node(4, 2)];
    const wanted = [
      [1, 3],
      [2, 3],
      [3, 2],
    ];
    assert.deepEqual(spread(...chain), wanted);
    assert.deepEqual(spread(...chain.toReversed()), wanted.toReversed());
  });

  it('case 479: ends where visits lead back to each other, with all classes in each', () => {
    assert.deepEqual(spread(node(1, 1, toParts(2)), node(2, 2, toParts(3)), node(3, 0, toParts(1))), [
      [1, 3],
      [2, 3],
      [3, 3],
    ]);
  });

  it('gives the classes of all that have an identifier, of one at an address only where the record holds none there', () => {
    const names = ['Encounter|77', '|77'];
    const both = [node(1, 1, { names }), node(2, 2, { names })];
    const toVisit = (reference: string | null): Partial<VisitNode> => ({
      visits: [{ reference, name: 'Encounter|77' }],
    });
    assert.deepEqual(spread(...both, node(3, 0, toVisit(null))), [[3, 3]]);
    assert.deepEqual(spread(...both, node(3, 0, toVisit('Encounter/9'))), [[3, 3]]);
    assert.deepEqual(spread(...both, node(3, 0, toVisit('Encounter/1'))), [[3, 1]]);
  });

  it('gives a visit the classes that a place has from another one', () => {
    const place = node(1, 0, { reference: 'Location/1', ...toParts(3) });
    assert.deepEqual(spread(place, node(2, 0, { shown: ['Location/1'] }), node(3, 1)), [
      [1, 1],
      [2, 1],
    ]);
  });

  it('takes no longer for a chain of 20,000 than for as many alone', () => {
    const chain = Array.from({ length: 20_000 }, (_, seq) => node(seq, 0, toParts(seq + 1)));
    assert.equal(spread(...chain, node(20_000, 7)).length, 20_000);
  });
});
