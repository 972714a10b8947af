import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { getVocabulary } from '../../../test/harness/vocabulary.ts';
import { createNameComparer } from './compare-names.ts';

const names = createNameComparer(getVocabulary);

const SAME = [
  ['DM2', 'Type II diabetes', 'Diabetes mellitus type 2', 'diabetes mellitus, TYPE 2', 'Diabetes tipo 2'],
  ['HTN', 'Hypertension', 'High blood pressure', 'Bluthochdruck', 'Benign essential HTN'],
  ['Tylenol', 'acetaminophen 325 MG Oral Tablet', 'Paracetamol'],
  ['Coumadin', 'warfarin sodium 5 MG Oral Tablet'],
  ['HCTZ', 'Hydrochlorothiazide 25 MG Oral Tablet'],
  ['K', 'Potassium', 'Kalium', 'Potasio', 'Potassium [Moles/volume] in Serum or Plasma'],
  ['Na', 'Sodium', 'Natrium'],
  ['CREATININE', 'Creatinine [Mass/volume] in unspecified time Urine'],
  ['MCH', 'Erythrocyte mean corpuscular hemoglobin [Entitic mass] by Automated count'],
  ['Copy of BLOOD COUNT, PLATELET, AUTOMATED', 'PLT'],
  ['Eye exam established pat', 'Ophthalmic examination and evaluation'],
  ['Viral sinusitis (disorder)', 'Sinusitis'],
  ['Brochitis of nowhere', 'Bronchitis'],
  ['Гипертония', 'Hypertension'],
];
const CONTRADICTING = [
  ['Asthma', 'Type II Diabetes', 'Hypertension', 'Acute pharyngitis', 'Hypotension', 'Hepatitis A'],
  ['Hepatitis A', 'Hepatitis B'],
  ['Type 1 diabetes mellitus', 'Type 2 diabetes mellitus'],
  ['Lisinopril 10 MG', 'Warfarin sodium 5 MG', 'Levothyroxine sodium', 'Hydralazine', 'Hydroxyzine'],
  ['Insulin lispro', 'Insulin glargine'],
  ['Prednisone', 'Prednisolone'],
  ['Penicillin G', 'Latex', 'Bee venom', 'Peanut'],
  ['Appendectomy', 'Coronary bypass', 'Colonoscopy'],
  ['Influenza', 'Tetanus'],
  ['Potassium', 'Sodium', 'Chloride', 'Creatinine'],
  ['Sodium [Moles/volume] in Serum or Plasma', 'Potassium [Moles/volume] in Serum or Plasma'],
  ['HDL cholesterol', 'LDL cholesterol'],
  ['Alcohol Intake', 'Tobacco use and exposure'],
  ['Zzyx', 'Qwop'],
];

const listPairs = (all: readonly string[]): [string, string][] =>
  all.flatMap((one, index) => all.slice(index + 1).map((other): [string, string] => [one, other]));

describe('two names', () => {
  it('agree where they are translations, synonyms, brands, abbreviations or parts of each other', () => {
    for (const [one, other] of SAME.flatMap(listPairs))
      assert.ok(names.agree(one, other) && names.agree(other, one), `${one}, ${other}`);
  });

  it('contradict each other where neither words nor the vocabulary relate them', () => {
    for (const [one, other] of CONTRADICTING.flatMap(listPairs))
      assert.ok(!names.agree(one, other) && !names.agree(other, one), `${one}, ${other}`);
  });
});

describe('a name', () => {
  it('agrees with a code that the vocabulary knows by what it means', () => {
    const asthma = 'http://snomed.info/sct|195967001';
    assert.ok(names.agreesWithCode('Asthma bronchiale', asthma));
    assert.ok(!names.agreesWithCode('Type II Diabetes', asthma));
    assert.ok(names.agreesWithCode('Excision of appendix', 'http://snomed.info/sct|80146002'));
    assert.ok(!names.agreesWithCode('Coronary bypass', 'http://snomed.info/sct|80146002'));
    assert.ok(!names.agreesWithCode('Asthma', 'http://hospital.example|1'));
    assert.ok(names.knowsCode(asthma) && !names.knowsCode('http://hospital.example|1'));
  });
});
