import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Subject } from './absent-statement.ts';
import { findDeniedName } from './denied-names.ts';

const find = (text: string, subject: Subject = 'allergy'): string | undefined =>
  findDeniedName([undefined, text], subject)?.name;

describe('findDeniedName', () => {
  it('finds nothing in a denial of all of a kind, in English and Spanish', () => {
    for (const text of [
      'No known allergies',
      'NKDA (no known drug allergies)',
      'No known food allergies.',
      'Sin alergias conocidas',
      'El paciente niega alergias a medicamentos',
      'No se conocen alergias',
      'Allergy excluded/not available',
    ])
      assert.equal(find(text), undefined, text);
    for (const text of ['No active problems', 'None known', 'Ninguna enfermedad conocida'])
      assert.equal(find(text, 'problem'), undefined, text);
    for (const text of [
      'Not on any medications',
      'No toma medicación',
      'No known hospital discharge medications',
    ])
      assert.equal(find(text, 'medication'), undefined, text);
  });

  it('finds the thing that is named, without the negation of its words', () => {
    assert.equal(find('Penicillin V'), 'Penicillin V');
    assert.equal(find('Niega alergia a penicilina'), 'alergia a penicilina');
    assert.equal(find('Patient denies history of asthma', 'problem'), 'history of asthma');
    assert.equal(find('No drug allergy', 'problem'), 'drug allergy');
    assert.deepEqual(findDeniedName(['No latex allergy'], 'allergy'), {
      name: 'latex allergy',
      wording: 'No latex allergy',
    });
  });

  it('takes the first cell of a row, and leaves a text with an exception as it was written', () => {
    assert.equal(find('2010-01-01 | Penicillin V | Active'), 'Penicillin V');
    assert.equal(find('No known allergies except penicillin'), 'No known allergies except penicillin');
  });
});
