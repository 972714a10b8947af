import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatNames, formatName } from './name-text.ts';

describe('a name', () => {
  it('is shown without the semantic tag of SNOMED CT', () => {
    assert.equal(formatName('Viral sinusitis (disorder)'), 'Viral sinusitis');
    assert.equal(formatName('Chemotherapy (regime/therapy)'), 'Chemotherapy');
    assert.equal(formatName('Dander (animal) allergy'), 'Dander (animal) allergy');
    assert.equal(formatName('Cancer (left breast)'), 'Cancer (left breast)');
    assert.equal(formatNames('Asthma (disorder); Cough (finding)'), 'Asthma; Cough');
  });

  it('is marked as unnamed when it is only a code', () => {
    assert.equal(formatName('LOINC 106793-3'), 'LOINC 106793-3 (unnamed code)');
    assert.equal(formatName('CVX 140'), 'CVX 140 (unnamed code)');
    assert.equal(formatName('NDC package of tablets'), 'NDC package of tablets');
  });
});
