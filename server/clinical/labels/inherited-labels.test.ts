import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseResource } from '../store/parse-resource.ts';
import { classifyResource } from './classify-resource.ts';
import {
  addInheritedLabels,
  listLabelsOfWhole,
  removeInheritedLabels,
  withoutInherited,
} from './inherited-labels.ts';

const ACT_CODE = 'http://terminology.hl7.org/CodeSystem/v3-ActCode';
const CONFIDENTIALITY = 'http://terminology.hl7.org/CodeSystem/v3-Confidentiality';
const security = (...codes: string[]): object => ({
  meta: { security: codes.map((code) => ({ system: code === 'R' ? CONFIDENTIALITY : ACT_CODE, code })) },
});
const label = (text: string, ...codes: string[]): string =>
  addInheritedLabels(text, parseResource(text), listLabelsOfWhole({ ...security(...codes) }));

describe('a label of what a resource came in', () => {
  it('is added to its text, of which every other byte stays', () => {
    for (const [before, meta, after] of [
      ['{ ', '', '"resourceType":"Observation","value":1.00,"ö":"é" }'],
      ['{"resourceType":"Observation", ', '"meta" : { }', ',"value":1.00}'],
      ['{"ö":"é",', '"meta":{"versionId":"1"}', ',"resourceType":"Observation"}'],
      ['{"resourceType":"Observation",', '"meta":{"security":[]}', '}'],
      ['{"resourceType":"Observation",', '"meta":{"security":[{"code":"N"} ],"tag":[]}', '}'],
    ] as const) {
      const text = before + meta + after;
      const labeled = label(text, 'HIV');
      assert.deepEqual(classifyResource(parseResource(labeled)).classes, ['HIV_OR_STI'], labeled);
      assert.ok(labeled.endsWith(after), labeled);
      assert.equal(label(labeled, 'HIV'), labeled, 'once');
      assert.deepEqual(classifyResource(withoutInherited(parseResource(labeled))).classes, []);
      const bare = removeInheritedLabels(labeled, parseResource(labeled));
      assert.deepEqual(classifyResource(parseResource(bare)).classes, []);
      assert.ok(bare.endsWith(after.replace(/^,/, '')), bare);
    }
    for (const odd of [
      'null',
      '[]',
      '"x"',
      '{"security":null}',
      '{"security":"R"}',
      '{"security":{"code":"N"}}',
    ])
      assert.deepEqual(
        classifyResource(parseResource(label(`{"meta":${odd},"resourceType":"Observation"}`, 'HIV'))).classes,
        ['HIV_OR_STI'],
        odd,
      );
  });

  it('stands beside its own labels, and lowers none of them', () => {
    const text = JSON.stringify({ resourceType: 'Observation', ...security('R') });
    assert.equal(classifyResource(parseResource(label(text, 'HIV'))).classes.length, 8);
    const specific = JSON.stringify({ resourceType: 'Observation', ...security('PSY') });
    assert.equal(classifyResource(parseResource(label(specific, 'R'))).classes.length, 8);
  });

  it('is one that says of which class the whole is: the degree alone only where nothing else does', () => {
    const list = (...codes: string[]): string[] =>
      listLabelsOfWhole({ ...security(...codes) }).map(({ code }) => code);
    assert.deepEqual(list('R', 'PSY'), ['PSY']);
    assert.deepEqual(list('R'), ['R']);
    assert.deepEqual(list('N', 'SUBSETTED', 'HTEST'), []);
    for (const odd of [null, [], 'R', { security: [null, [], { code: 7 }] }])
      assert.deepEqual(listLabelsOfWhole({ meta: odd }), []);
    assert.equal(listLabelsOfWhole({ confidentiality: 'V' })[0]?.code, 'V');
  });
});
