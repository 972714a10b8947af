import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findNameLines } from './name-lines.ts';

describe('the lines by which a document of text says whose it is', () => {
  for (const [text, expected] of [
    ['Riverside Clinic\nPatient Name: Jane Q. Doe   MRN: 12345', [['Jane Q. Doe', null]]],
    ['PATIENT: DOE, JANE   DOB: 03/04/1956', [['DOE, JANE', '1956']]],
    [
      'Name: María José Núñez-Ortiz\nSex: F\nDate of birth: March 14, 1956',
      [['María José Núñez-Ortiz', '1956-03-14']],
    ],
    ['Nombre del paciente: Ana Ruiz\nFecha de nacimiento: 14/03/1956', [['Ana Ruiz', '1956-03-14']]],
    ['Paciente: Ana Ruiz, nacimiento: 14 de marzo de 1956', [['Ana Ruiz', '1956-03-14']]],
    [
      'Lab\tPatient: Jane Doe\tDOB 1956-03-14\nPatient: Jane Doe  DOB 1956-03-14',
      [['Jane Doe', '1956-03-14']],
    ],
    [
      'Patient: John Roe (DOB: 14-Mar-1956)\n…\nPatient: Jane Doe (DOB: 05/05/1957)',
      [
        ['John Roe', '1956-03-14'],
        ['Jane Doe', '1957-05-05'],
      ],
    ],
    ['Patient name: Jane Doe\nDOB: on file', [['Jane Doe', null]]],
    // Beside it in a table, as HTML, PDF and RTF become text.
    ['Patient Name: | Jane Doe\nDOB: | 03/13/1956', [['Jane Doe', '1956-03-13']]],
    ['Patient | Jane Doe | Date of birth | 1956-03-13', [['Jane Doe', '1956-03-13']]],
    ['PATIENT\tJANE DOE\nDATE OF BIRTH\t1956/3/13', [['JANE DOE', '1956-03-13']]],
    ['Pt: Jane Doe   DOB: 03/13/1956   MRN 123', [['Jane Doe', '1956-03-13']]],
    ['Pt. Name (Last, First): Doe, Jane', [['Doe, Jane', null]]],
    // Below it.
    ['Patient Name\n\nJane Doe\n\nDate of Birth\n\n03/13/1956', [['Jane Doe', '1956-03-13']]],
    ['Patient name:\nJane Doe\nKnee pain', [['Jane Doe', null]]],
    ['Paciente\nAna Ruiz\nFecha de nacimiento\n13/03/1956', [['Ana Ruiz', '1956-03-13']]],
    ['Visit\tPatient Name\tDate of Birth\n01/02/2026\tJane Doe\t03/13/1956', [['Jane Doe', '1956-03-13']]],
    ['Patient Name:  Date of Birth:\nJane Doe  March 13, 1956', [['Jane Doe', '1956-03-13']]],
    // None of these says whose the document is.
    ['Patient: feels well, DOB: 1956-03-14', []],
    ['Patient: Jane Doe was seen by her daughter.', []],
    ['Name: Jane Doe', []],
    ['Patient\nJane Doe', []],
    ['Name | Date of birth | Relationship\nJane Doe | 03/13/1956 | Mother', []],
    ['Patient Name | Date Of Birth | Medical Record Number', []],
    ['Patient Name\nChief Complaint', []],
    ['Patient Information\nDOB: 03/13/1956', []],
    ['Patient\nSmoking History\nDOB: 03/13/1956', []],
    ['PT: Evaluate and treat\nDOB: 03/13/1956', []],
    ['Dear Jane Doe,\nyour mother, Ann Doe, came in. Emergency contact name: Ann Doe', []],
    ['Patient Education: Heart Failure', []],
    ['Patient name: ______ DOB: ______', []],
    ['', []],
  ] as const)
    it(JSON.stringify(text), () => {
      assert.deepEqual(
        findNameLines(text).map(({ name, birthDate }) => [name, birthDate]),
        expected,
      );
    });

  it('takes no longer for lines made to be slow', () => {
    assert.deepEqual(findNameLines(`${'Patient name: A'.repeat(50_000)}\n${' '.repeat(500_000)}:`), []);
  });
});
