import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { presentAbsence, readAbsence, toAbsenceFields } from './absent-statements.ts';
import { SNOMED } from './codeable-concept.ts';
import type { Absence } from './absence-grammar.ts';
import { formatTitle } from './group-key.ts';

const assertRead = (absence: Absence | null, titles: readonly string[]): void => {
  for (const title of titles) assert.equal(readAbsence(undefined, title), absence, title);
};

describe('a statement of absence', () => {
  it('says that there is none', () =>
    assertRead('none', [
      'NKDA',
      'No known allergies, NKDA',
      'Nil known',
      'None provided',
      'Allergies: None known',
      'Patient has no known allergies',
      'No allergies on file',
      'No known drug or food allergies per patient',
      'No Known Contrast Allergy',
      'No known peanut allergy',
      'No known allergy to penicillin or sulfa',
      'Denies penicillin allergy',
      'Food allergy: none',
      'No significant past medical history',
      'Problem list reviewed, no active problems',
      'No current outpatient medications',
      'No home meds',
      'Patient not taking any medications',
      'Patient denies taking any medications',
      'No medication administered',
    ]));

  it('says it in Spanish', () =>
    assertRead('none', [
      'Sin alergias conocidas',
      'No se conocen alergias a medicamentos',
      'Niega alergias',
      'Alergias: ninguna',
      'Ninguna enfermedad conocida',
      'Sin antecedentes de interés',
      'No toma medicación',
      'Sin alergia a penicilina',
    ]));

  it('says it in German', () => {
    assertRead('none', [
      'Keine bekannten Allergien',
      'Allergien: keine',
      'Keine Penicillinallergie',
      'Keine bekannten Arzneimittelunverträglichkeiten',
      'Keine Vorerkrankungen bekannt',
      'Patient nimmt keine Medikamente ein',
    ]);
    assertRead('no information', ['Allergien unbekannt', 'Keine Angaben zu Allergien', 'Nicht erhoben']);
    assertRead(null, [
      'Allergie, nicht näher bezeichnet',
      'Keine bekannte Allergie außer Penicillin',
      'Keine Allergie gegen Penicillin, aber Exanthem',
      'Allergie unbekannt',
    ]);
  });

  it('is nothing that was done, on whatever day, where it says that there is no data of its kind', () => {
    const present = (title: string) =>
      presentAbsence(readAbsence(undefined, title), { title, doneOn: '2014-02-12' });
    for (const title of ['No immunization data is applicable', 'No information about procedures'])
      assert.deepEqual(present(title), { none: true, noInformation: true });
    for (const title of ['Unknown', 'Not on file']) assert.deepEqual(present(title), {});
  });

  it('says that nothing is known, which is not that there is none', () =>
    assertRead('no information', [
      'Not on File',
      'Allergies not on file',
      'Unable to assess',
      'Unable to obtain medical history',
      'Patient not asked (contextual qualifier) (qualifier value)',
      'No information about allergies',
      'No immunization data is applicable',
      'Allergy status unknown',
      'Unknown allergies',
      'Medications: unknown',
      'Unknown',
      'N/A',
      'Desconocido',
      'Alergias desconocidas',
      'Se desconocen',
      'Sin datos',
      'No preguntado',
    ]));

  it('is none that names a thing, or may', () =>
    assertRead(null, [
      'Unknown antibiotic',
      'Unknown allergen',
      'Unknown drug',
      'Unknown medications',
      'Drug allergy, unknown',
      'Alergia desconocida',
      'History of unknown surgery',
      'Allergy, unspecified',
      'No-see-um bite allergy',
      'No-see-um allergy',
      'Nonallergic rhinitis',
      'No known cause of seizure',
      'No known trigger for food allergy',
      'No known allergies except penicillin',
      'No known allergy to penicillin but reacts to sulfa',
      'No known allergies (penicillin?)',
      'NKDA except penicillin',
      'NKDA - latex rash',
      'Food allergy, no reaction documented',
      'Food allergy: no reaction',
      'Allergic reaction, no medication given',
      'Patient not taking medication',
      'No longer active problem',
      'No light perception',
      'No evidence of disease',
      'No home',
      'No food',
      'Na',
      'No. 5 dye',
      'Nuts',
      'Sin alergia a penicilina excepto amoxicilina',
      'Niega asma',
      'Sindrome de Down',
    ]));

  it('is read from codes', () => {
    const read = (system: string, code: string, text: string | null) =>
      readAbsence({ coding: [{ system, code }] }, text);
    assert.equal(read(SNOMED, '716186003', 'x'), 'none');
    assert.equal(read(SNOMED, '1631000175102', 'x'), 'no information');
    const ips = 'http://hl7.org/fhir/uv/ips/CodeSystem/absent-unknown-uv-ips';
    assert.equal(read(ips, 'no-known-allergies', 'x'), 'none');
    assert.equal(read(ips, 'no-allergy-info', 'x'), 'no information');
    const nullFlavor = 'http://terminology.hl7.org/CodeSystem/v3-NullFlavor';
    assert.equal(read(nullFlavor, 'NASK', 'NASK'), 'no information');
    assert.equal(read(nullFlavor, 'NASK', 'Penicillin'), null);
    assert.equal(read(nullFlavor, 'MSK', 'MSK'), null);
  });

  it('has a name where its code stands alone', () => {
    for (const [code, name] of [
      ['716186003', 'No known allergy'],
      ['160244002', 'No known allergies'],
      ['409137002', 'No known drug allergy'],
      ['1003774007', 'No known Hevea brasiliensis latex allergy'],
      ['160245001', 'No current problems or disability'],
      ['787481004', 'No known medications'],
      ['787483001', 'No known device use'],
    ] as const) {
      const concept = { coding: [{ system: SNOMED, code }] };
      assert.equal(formatTitle(concept), name);
      assert.equal(readAbsence(concept, name), 'none', name);
    }
  });

  it('is a fact where the entry says more of it', () => {
    assert.deepEqual(toAbsenceFields('no information', ['Hives']), { none: false });
    assert.deepEqual(toAbsenceFields('none', ['Hives']), { none: false });
    assert.deepEqual(toAbsenceFields('none', ['None', null]), { none: true });
    assert.deepEqual(toAbsenceFields('no information', ['Unknown']), { none: true, noInformation: true });
  });
});
