import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { normalizeCodeSystem } from '../entries/codeable-concept.ts';
import { classifyCode } from './code-lists.ts';

const WHO = 'http://hl7.org/fhir/sid/icd-10';
const CM = 'http://hl7.org/fhir/sid/icd-10-cm';
const ICD_9 = 'http://hl7.org/fhir/sid/icd-9-cm';

const SUBSTANCE = 'SUBSTANCE_USE_OR_DRUG_ABUSE';
const REPRODUCTIVE = 'REPRODUCTIVE_HEALTH_DATA';

describe('the codes of ICD (case 483)', () => {
  for (const [system, name, codes] of [
    [WHO, SUBSTANCE, 'Z72.1 Z72.2 Z50.2 Z50.3 Y91 Y91.1 X42 X45 Z04.0 P96.1 G72.1 E24.4'],
    [WHO, 'MENTAL_HEALTH', 'Y87.0 X64 Z50.4 Z54.3 Z09.3 Z00.4 Z03.2'],
    [WHO, 'HIV_OR_STI', 'F02.4 I98.0 N74.3 K67.1'],
    [WHO, REPRODUCTIVE, 'Z87.5 P96.4 A34 Y42.4'],
    [CM, SUBSTANCE, 'P04.14 P04.16 P04.3 P04.81 E24.4 G72.1 Z02.83 Z63.72 O35.4XX0'],
    [
      CM,
      'MENTAL_HEALTH',
      'T39.1X2A T42.4X2A T42.72XA T50.902D T58.02XA T65.92XS T71.162A P04.15 Z13.39 Z69.010',
    ],
    [CM, 'HIV_OR_STI', 'Z11.51 Z83.0 R85.81 R87.820'],
    [CM, REPRODUCTIVE, 'Z87.59 Z87.51 Z03.71 Z86.32 P00.0 P04.14 T38.4X5A C58'],
    [CM, 'GENETIC_TESTING', 'D68.51 D68.52 O28.5 Z71.83 Z36.8A'],
    [ICD_9, SUBSTANCE, 'E860.0 760.72 779.5 V65.42 969.7'],
    [ICD_9, 'MENTAL_HEALTH', 'V79.0 V71.0 V62.85'],
    [ICD_9, REPRODUCTIVE, 'V13.29 760.0 V61.7 996.32'],
    [ICD_9, 'HIV_OR_STI', 'V74.5 V65.44 078.11'],
  ] as const)
    for (const code of codes.split(' '))
      for (const written of [code, code.replace('.', '')])
        it(`have the class ${name}: ${written}`, () => {
          assert.ok(classifyCode(system, written).includes(name));
        });

  it('leave out what is of no class: nicotine, accidents, adverse effects, what is therapeutic', () => {
    for (const code of 'F17.210 Z81.2 Z72.0 Z71.6 T39.1X1A T42.4X1A T42.4X5A T42.71XA T65.221A T71.161A Z79.891 P04.2 Z86.19 D68.59'.split(
      ' ',
    ))
      assert.deepEqual(
        classifyCode(CM, code).filter((name) => name !== REPRODUCTIVE),
        [],
        code,
      );
  });

  it('are known by any address of an edition of ICD', () => {
    for (const system of [
      'http://hl7.org/fhir/sid/icd-10-es',
      'https://hl7.org/fhir/sid/icd-10-de/',
      'http://fhir.de/CodeSystem/bfarm/icd-10-gm',
      'http://www.saude.gov.br/fhir/r4/CodeSystem/BRCID10',
      'https://example.es/CIE10ES',
      'https://example.fr/cim-10',
      'http://terminology.hl7.org/CodeSystem/icd10',
      'http://id.who.int/icd/release/10/2019',
      'ICD-10-CM',
      'I10C',
      'urn:oid:2.16.840.1.113883.6.3',
      'urn:oid:2.16.840.1.113883.6.3.2',
      '2.16.840.1.113883.6.90',
    ])
      assert.deepEqual(classifyCode(normalizeCodeSystem(system), 'F329'), ['MENTAL_HEALTH'], system);
    for (const system of [
      `${ICD_9}/diagnosis`,
      'ICD9',
      'urn:oid:2.16.840.1.113883.6.42',
      'https://example.es/cie-9-mc',
    ])
      assert.deepEqual(classifyCode(normalizeCodeSystem(system), '29620'), ['MENTAL_HEALTH'], system);
    for (const system of [`${ICD_9}/procedure`, 'urn:oid:2.16.840.1.113883.6.104'])
      assert.deepEqual(classifyCode(normalizeCodeSystem(system), '94.62'), [SUBSTANCE], system);
    for (const system of [
      'http://hl7.org/fhir/sid/icd-10-pcs',
      'ICD10PCS',
      'http://www.cms.gov/Medicare/Coding/ICD10',
    ])
      assert.deepEqual(classifyCode(normalizeCodeSystem(system), 'HZ2ZZZZ'), [SUBSTANCE], system);
  });

  it('are diagnoses under an address of somebody’s own, also where that seems to be one of procedures (case 494)', () => {
    for (const system of [
      'http://x.example/processed/icd-10-cm',
      'http://procurement.example/icd-10',
      'http://a.example/icd10-procedure-dx',
      'http://a.example/icd10-pcs',
    ])
      for (const [code, name] of [
        ['B20', 'HIV_OR_STI'],
        ['Z21', 'HIV_OR_STI'],
        ['F32.9', 'MENTAL_HEALTH'],
        ['HZ2ZZZZ', SUBSTANCE],
      ] as const)
        assert.deepEqual(classifyCode(system, code), [name], `${system} ${code}`);
    assert.deepEqual(classifyCode('http://a.example/icd-9/processed', '042'), ['HIV_OR_STI']);
    for (const system of ['ICD10PCS', 'http://hl7.org/fhir/sid/icd-10-pcs'])
      assert.deepEqual(classifyCode(system, 'B20BZZZ'), [], system);
  });

  it('count with their point in a system of somebody’s own, and not in one where the form means something else', () => {
    for (const system of ['urn:oid:1.2.840.99', 'http://a.example/codes'])
      assert.deepEqual(classifyCode(system, 'Z33.1'), [REPRODUCTIVE], system);
    for (const [system, code] of [
      ['http://a.example/rooms', 'B20'],
      ['http://hl7.org/fhir/sid/icpc-2', 'F29.01'],
      ['http://terminology.hl7.org/CodeSystem/v3-ActReason', 'F32.9'],
      ['http://a.example/codes', '86406008'],
    ] as const)
      assert.deepEqual(classifyCode(system, code), [], system);
  });
});
