import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { namesText, nameText } from './name-text.ts';

describe('a name', () => {
  it('is told without the tag of its code system', () => {
    assert.equal(nameText('Viral sinusitis (disorder)'), 'Viral sinusitis');
    assert.equal(nameText('Chemotherapy (regime/therapy)'), 'Chemotherapy');
    assert.equal(nameText('Dander (animal) allergy'), 'Dander (animal) allergy');
    assert.equal(nameText('Cancer (left breast)'), 'Cancer (left breast)');
    assert.equal(namesText('Asthma (disorder); Cough (finding)'), 'Asthma; Cough');
  });

  it('that is only a code says so', () => {
    assert.equal(nameText('LOINC 106793-3'), 'LOINC 106793-3 (unnamed code)');
    assert.equal(nameText('CVX 140'), 'CVX 140 (unnamed code)');
    assert.equal(nameText('NDC package of tablets'), 'NDC package of tablets');
  });
});
