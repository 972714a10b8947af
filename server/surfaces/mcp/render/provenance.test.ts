import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { renderProvenance } from './provenance.ts';

const from = (documentPath: string) => ({ organization: null, documentPath, reference: 'Condition/1' });

describe('a source without an organization', () => {
  it('is named by its document', () => {
    assert.equal(renderProvenance([from('upload/letters/urine.xml')]), 'urine.xml');
  });

  it('is shortened in the middle', () => {
    const name = renderProvenance([from('zip/Darrel772_Davis923_4b86befa-fa7e-9285-615f-e081dab3f93c.json')]);
    assert.equal(name, 'Darrel772_Davis923_4b86b…81dab3f93c.json');
    assert.ok(name.length <= 40);
  });
});
