import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { buildEntries } from '../../server/clinical/entries/build-entries.ts';
import { flattenTree } from '../../server/clinical/entries/element.ts';
import { scoreInformativeness } from '../../server/clinical/entries/informativeness.ts';
import { classifyResource } from '../../server/clinical/labels/classify-resource.ts';
import { canonicalizeJson, isSameJson } from '../../server/clinical/store/canonical-json.ts';
import type { ParsedResource } from '../../server/clinical/store/found-resource.ts';
import { fenced } from '../../server/surfaces/mcp/render/escape-markdown.ts';

/** More than can be passed as the arguments of one call, and less than a resource may have of values. */
const COUNT = 150_000;

const repeat = <Value>(value: Value): Value[] => Array.from({ length: COUNT }, () => value);

describe('case 333: a list as long as its sender likes', () => {
  const reference = { reference: 'Condition/1' };
  const resources: Record<string, Omit<ParsedResource, 'id'>> = {
    'labels of security': { resourceType: 'Observation', meta: { security: [...repeat('N'), 'R'] } },
    'items of a questionnaire': { resourceType: 'QuestionnaireResponse', item: repeat({ linkId: '1' }) },
    'what a provenance is about': { resourceType: 'Provenance', target: repeat(reference) },
    'reasons of a prescription': { resourceType: 'MedicationRequest', reasonReference: repeat(reference) },
    'diagnoses of a visit': { resourceType: 'Encounter', diagnosis: repeat({ condition: reference }) },
    'members of a panel': { resourceType: 'Observation', hasMember: repeat({ reference: 'Observation/1' }) },
    'sections of a document': { resourceType: 'Composition', section: repeat({ title: 'x' }) },
    'items of a bill': { resourceType: 'Claim', item: repeat({ productOrService: { text: 'x' } }) },
  };
  for (const [name, resource] of Object.entries(resources))
    it(`is read to its end: ${name}`, () => {
      const whole = { id: 'x', ...resource } as unknown as ParsedResource;
      classifyResource(whole);
      assert.ok(buildEntries(whole, { resolve: () => null }).length <= COUNT);
    });

  it('has its last label read too', () => {
    const resource = { resourceType: 'Observation', meta: { security: ['PSY', ...repeat('N')] } };
    assert.deepEqual(classifyResource(resource).classes, ['MENTAL_HEALTH']);
  });

  it('is flattened, scored and compared', () => {
    assert.equal(flattenTree([{ item: repeat({}) }], 'item').length, COUNT + 1);
    assert.equal(scoreInformativeness({ title: '', detail: repeat('x') as never }), 1_000);
    const text = JSON.stringify(repeat('x'));
    assert.equal(canonicalizeJson(text), text);
    assert.ok(isSameJson(text, text.replace(',', ', ')));
  });

  it('may be runs of backticks in a note, around which the fence still closes', () => {
    assert.match(fenced('` '.repeat(COUNT)), /^```text\n[^]*\n```$/);
  });
});
