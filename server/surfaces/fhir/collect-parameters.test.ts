import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Refusal } from '../../platform/kernel/refusal.ts';
import { collectParameters } from './collect-parameters.ts';

const collect = (input: Partial<Parameters<typeof collectParameters>[0]>) =>
  collectParameters({ query: {}, body: undefined, prefer: undefined, ...input });

const createParameters = (...parameter: object[]) => ({ resourceType: 'Parameters', parameter });

describe('collectParameters', () => {
  it('reads the URL, a Parameters resource, or both', () => {
    const body = createParameters(
      { name: 'start', valueDate: '2015-01-01' },
      { name: '_count', valueInteger: 10 },
    );
    assert.deepEqual(collect({ query: { end: '2016' }, body }), {
      end: '2016',
      start: '2015-01-01',
      _count: '10',
    });
    assert.deepEqual(collect({ body: { resourceType: 'Parameters' } }), {});
  });

  it('joins the types of a repeated _type, and leaves any other repetition to be refused', () => {
    assert.deepEqual(
      collect({
        query: { _type: ['Condition', 'Observation,Patient'] },
        body: createParameters({ name: '_type', valueCode: 'Encounter' }),
      }),
      { _type: 'Condition,Observation,Patient,Encounter' },
    );
    assert.deepEqual(
      collect({
        query: { start: '2015' },
        body: createParameters({ name: 'start', valueDate: '2016' }),
      }),
      { start: ['2015', '2016'] },
    );
  });

  it('leaves out what is not supported, unless the client prefers strict handling', () => {
    const request = {
      query: { _elements: 'id', _count: '1' },
      body: createParameters({ name: '_summary', valueCode: 'true' }, { name: 'x', resource: {} }),
    };
    assert.deepEqual(collect(request), { _count: '1' });
    assert.deepEqual(collect({ ...request, prefer: 'handling=lenient, respond-async' }), { _count: '1' });
    for (const prefer of [
      'handling=strict',
      'return=minimal, Handling = "strict"; x=1',
      'respond-async;handling=strict',
    ])
      assert.throws(
        () => collect({ ...request, prefer }),
        (error) =>
          error instanceof Refusal &&
          error.status === 400 &&
          error.errors.map(({ path }) => path).join() === '_elements,_summary,x',
        prefer,
      );
    assert.deepEqual(collect({ query: { _count: '1' }, prefer: 'handling=strict' }), { _count: '1' });
  });

  it('refuses a body that is no Parameters resource, without quoting it', () => {
    for (const body of [
      [],
      'text',
      7,
      {},
      { resourceType: 'Patient' },
      { resourceType: 'Parameters', parameter: 1 },
      { resourceType: 'Parameters', parameter: [{ valueDate: '2015' }] },
    ])
      assert.throws(
        () => collect({ body }),
        (error) => error instanceof Refusal && error.status === 400 && !error.message.includes('2015'),
        JSON.stringify(body),
      );
  });

  it('leaves a parameter without one primitive value to be refused', () => {
    for (const parameter of [
      { name: 'start' },
      { name: 'start', valuePeriod: { start: '2015' } },
      { name: 'start', valueDate: '2015', valueString: '2016' },
      { name: 'start', part: [] },
    ])
      assert.deepEqual(collect({ body: createParameters(parameter) }), { start: null });
  });
});
