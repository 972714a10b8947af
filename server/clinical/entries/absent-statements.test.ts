import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isAbsentStatement } from './absent-statements.ts';

describe('isAbsentStatement', () => {
  it('reads denials in Spanish, but none that names a thing', () => {
    for (const title of [
      'Sin alergias conocidas',
      'No se conocen alergias a medicamentos',
      'Niega alergias',
      'Ninguna enfermedad conocida',
    ])
      assert.ok(isAbsentStatement(undefined, title), title);
    for (const title of ['Sin alergia a penicilina', 'Niega asma', 'Sindrome de Down'])
      assert.ok(!isAbsentStatement(undefined, title), title);
  });
});
