import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Refusal } from '../../platform/kernel/refusal.ts';
import { negotiateFormat, type Format } from './media-type.ts';

const BOTH: readonly Format[] = ['json', 'ndjson'];

const shape = (
  accept: string | undefined,
  { format, offered = BOTH }: { format?: string; offered?: readonly Format[] } = {},
) => {
  try {
    return negotiateFormat({ accept, format }, offered);
  } catch (error) {
    return error instanceof Refusal ? error.status : error;
  }
};

describe('negotiateFormat', () => {
  it('returns JSON for a client without a preference', () => {
    for (const accept of [undefined, '', '*/*', 'application/*', ' */* ; q=0.3 ', 'text/html, */*'])
      assert.equal(shape(accept), 'json', accept);
  });

  it('returns the format that the client prefers', () => {
    assert.equal(shape('application/fhir+ndjson'), 'ndjson');
    assert.equal(shape('APPLICATION/FHIR+NDJSON; charset=utf-8'), 'ndjson');
    assert.equal(shape('application/json;q=0.5, application/x-ndjson;q=0.8'), 'ndjson');
    assert.equal(shape('application/fhir+ndjson;q=0.2, application/json;q=0.3'), 'json');
    assert.equal(shape('application/json;fhirVersion=4.0;q=0.9, application/ndjson;q=0.1'), 'json');
  });

  it('refuses a client that accepts none of the offered formats', () => {
    for (const accept of [
      'text/html',
      'application/fhir+xml',
      'application/json;q=0',
      'application/json;q=x',
      'nonsense',
      ';;',
      ',',
    ])
      if (accept !== ',' && accept !== ';;') assert.equal(shape(accept), 406, accept);
    assert.equal(shape('application/fhir+ndjson', { offered: ['json'] }), 406);
    assert.equal(shape('application/fhir+ndjson, application/json;q=0.1', { offered: ['json'] }), 'json');
  });

  it('follows _format, whatever Accept says', () => {
    assert.equal(shape('text/html', { format: 'json' }), 'json');
    assert.equal(shape('application/json', { format: 'application/fhir ndjson' }), 'ndjson');
    assert.equal(shape('application/json', { format: 'xml' }), 406);
  });
});
