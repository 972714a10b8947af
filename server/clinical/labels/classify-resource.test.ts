import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { RestrictedScope } from '../../../contract/data-categories.ts';
import type { ParsedResource } from '../store/found-resource.ts';
import { classifyResource as classify } from './classify-resource.ts';

const SHORT: Readonly<Record<string, RestrictedScope>> = {
  hiv: 'HIV_OR_STI',
  sud: 'SUBSTANCE_USE_OR_DRUG_ABUSE',
  mind: 'MENTAL_HEALTH',
  gene: 'GENETIC_TESTING',
  birth: 'REPRODUCTIVE_HEALTH_DATA',
  talk: 'PSYCHOTHERAPY_NOTES',
  part2: 'SUD_PART_2',
  sickle: 'SICKLE_CELL',
};
const classes = (short: string): RestrictedScope[] =>
  short.split(' ').flatMap((name) => (name === '' ? [] : (SHORT[name] as RestrictedScope)));

const classifyResource = (resource: ParsedResource): RestrictedScope[] => classify(resource).classes;

const condition = (more: object): ParsedResource => ({ resourceType: 'Condition', ...more });
const withCode = (system: string, code: string): ParsedResource =>
  condition({ code: { coding: [{ system, code }] } });
const withWords = (text: string): ParsedResource => condition({ code: { text } });

const SNOMED = 'http://snomed.info/sct';
const LOINC = 'http://loinc.org';
const ICD_10 = 'http://hl7.org/fhir/sid/icd-10-cm';
const ICD_9 = 'http://hl7.org/fhir/sid/icd-9-cm';
const NDC = 'http://hl7.org/fhir/sid/ndc';
const RXNORM = 'http://www.nlm.nih.gov/research/umls/rxnorm';
const CPT = 'http://www.ama-assn.org/go/cpt';
const HCPCS = 'http://www.cms.gov/Medicare/Coding/HCPCSReleaseCodeSets';
const REVENUE = 'https://www.nubc.org/CodeSystem/RevenueCodes';
const DRG =
  'https://www.cms.gov/Medicare/Medicare-Fee-for-Service-Payment/AcuteInpatientPPS/MS-DRG-Classifications-and-Software';
const PCS = 'http://www.cms.gov/Medicare/Coding/ICD10';
const HL7 = 'http://terminology.hl7.org/CodeSystem';

const CODES: readonly [string, string, string][] = [
  [ICD_10, 'B20', 'hiv'],
  [ICD_10, 'Z21', 'hiv'],
  [ICD_10, 'A53.9', 'hiv'],
  [ICD_10, 'O98.711', 'hiv birth'],
  [ICD_9, '042', 'hiv'],
  [SNOMED, '86406008', 'hiv'],
  ['urn:oid:2.16.840.1.113883.6.96', '86406008', 'hiv'],
  [`${SNOMED}/731000124108`, '86406008', 'hiv'],
  [LOINC, '20447-9', 'hiv'],
  [RXNORM, '276237', 'hiv'],
  [CPT, '86703', 'hiv'],
  ['http://hl7.org/fhir/sid/icd-10', 'B24', 'hiv'],
  ['http://hl7.org/fhir/sid/icd-10', 'X61', 'mind'],
  ['http://fhir.de/CodeSystem/bfarm/icd-10-gm', 'F11.2', 'sud'],
  ['https://snomed.info/sct', '86406008', 'hiv'],
  ['https://www.cms.gov/Medicare/Coding/HCPCSReleaseCodeSets', 'H0020', 'sud'],
  [ICD_10, 'F11.20', 'sud'],
  [ICD_10, 'F10.10', 'sud'],
  [ICD_9, '305.90', 'sud'],
  [SNOMED, '5602001', 'sud'],
  [LOINC, '82667-7', 'sud'],
  [LOINC, '75626-2', 'sud'],
  [RXNORM, '6813', 'sud'],
  [ICD_10, 'F32.9', 'mind'],
  [ICD_10, 'F20.0', 'mind'],
  [ICD_10, 'R45.851', 'mind'],
  [ICD_9, '296.20', 'mind'],
  [SNOMED, '35489007', 'mind'],
  [LOINC, '44261-6', 'mind'],
  [LOINC, '70274-6', 'mind'],
  [RXNORM, '36437', 'mind'],
  [CPT, '90837', 'mind'],
  [ICD_10, 'Z15.01', 'gene'],
  [LOINC, '69548-6', 'gene'],
  [CPT, '81211', 'gene'],
  [ICD_10, 'O09.90', 'birth'],
  [ICD_10, 'Z30.430', 'birth'],
  [SNOMED, '77386006', 'birth'],
  [LOINC, '82810-3', 'birth'],
  [ICD_10, 'D57.1', 'sickle'],
  [ICD_9, '282.60', 'sickle'],
  [SNOMED, '127040003', 'sickle'],
  [LOINC, '4625-0', 'sickle'],
  ['', 'F32.9', 'mind'],
  [NDC, '61958-2501-1', 'hiv'],
  [NDC, '49702022813', 'hiv'],
  [NDC, '12496-1208-3', 'sud'],
  [SNOMED, '394587001', 'mind'],
  [SNOMED, '408470005', 'birth'],
  [RXNORM, '6691', 'birth'],
  [RXNORM, '596', 'mind'],
  [RXNORM, '6964', 'birth'],
  [RXNORM, '117466', 'hiv'],
  [RXNORM, '1658314', 'mind'],
  [ICD_10, 'N80.0', 'birth'],
  [ICD_10, 'F64.0', 'mind birth'],
  [ICD_10, 'Z3A.20', 'birth'],
  [LOINC, '14334-7', 'mind'],
  [HCPCS, 'G2067', 'sud'],
  [HCPCS, 'G2078', 'sud'],
  [HCPCS, 'J0571', 'sud'],
  [HCPCS, 'J2315', 'sud'],
  [HCPCS, 'Q9991', 'sud'],
  [HCPCS, 'T1012', 'sud'],
  ['urn:oid:2.16.840.1.113883.6.285', 'S9475', 'sud'],
  [HCPCS, 'S0190', 'birth'],
  [REVENUE, '0944', 'sud'],
  [REVENUE, '945', 'sud'],
  [REVENUE, '0906', 'sud mind'],
  [REVENUE, '0914', 'mind'],
  [DRG, '895', 'sud'],
  [DRG, '885', 'mind'],
  [DRG, '974', 'hiv'],
  [PCS, 'HZ2ZZZZ', 'sud'],
  [PCS, 'GZ3ZZZZ', 'mind'],
  ['http://hl7.org/fhir/sid/icd-10-pcs', '10A07ZZ', 'birth'],
  [`${HL7}/discharge-disposition`, 'psy', 'mind'],
  [`${HL7}/admit-source`, 'psych', 'mind'],
  [`${HL7}/v3-RoleCode`, 'SURF', 'sud'],
  // next to them, and none of them
  [RXNORM, '6916', ''],
  [LOINC, '29593-1', ''],
  [ICD_10, 'F06.7', ''],
  [ICD_10, 'F17.210', ''],
  [ICD_10, 'Z72.0', ''],
  [ICD_9, '305.1', ''],
  [ICD_10, 'B18.2', ''],
  [ICD_10, 'B02.9', ''],
  [ICD_10, 'D58.0', ''],
  [ICD_10, 'I10', ''],
  [ICD_10, 'R45.0', ''],
  [LOINC, '20570-8', ''],
  [LOINC, '76689-9', ''],
  [LOINC, '72166-2', ''],
  [SNOMED, '449868002', ''],
  [SNOMED, '73595000', ''],
  ['http://hl7.org/fhir/sid/cvx', '62', ''],
  [NDC, '61958-1801-1', ''],
  [NDC, '0093-7146-01', ''],
  [SNOMED, '394591006', ''],
  ['http://example.org/local', '276237', ''],
  ['http://unitsofmeasure.org', 'F32', ''],
  [HCPCS, 'G2081', ''],
  [HCPCS, 'J0585', ''],
  [REVENUE, '0450', ''],
  [REVENUE, '0920', ''],
  [DRG, '470', ''],
  [PCS, '0SR9019', ''],
  [`${HL7}/discharge-disposition`, 'home', ''],
  [`${HL7}/v3-RoleCode`, 'PHLEB', ''],
];

const WORDS: readonly [string, string][] = [
  ['HIV negative', 'hiv'],
  ['Prueba de VIH', 'hiv'],
  ['AIDS', 'hiv'],
  ['on PrEP since May', 'hiv'],
  ['Chlamydia trachomatis rRNA', 'hiv'],
  ['Sífilis latente', 'hiv'],
  ['genital herpes', 'hiv'],
  ['lamivudine 150 MG Oral Tablet', 'hiv'],
  ['HPV DNA test', 'hiv'],
  ['Drug abuse', 'sud'],
  ['Opioid use disorder', 'sud'],
  ['is an alcoholic', 'sud'],
  ['Alcohol use', 'sud'],
  ['abuso de drogas', 'sud'],
  ['buprenorphine / naloxone', 'sud'],
  ['Drugs of abuse 5 panel - Urine', 'sud'],
  ['Depression screening', 'mind'],
  ['no depression', 'mind'],
  ['Generalized anxiety disorder', 'mind'],
  ['Depresión mayor', 'mind'],
  ['referred to psychiatry', 'mind'],
  ['Bipolar I disorder', 'mind'],
  ['PTSD', 'mind'],
  ['Fluoxetine 20 MG', 'mind'],
  ['PHQ-9', 'mind'],
  ['BRCA1 positive', 'gene'],
  ['Genetic counseling', 'gene'],
  ['Normal pregnancy', 'birth'],
  ['embarazo de 12 semanas', 'birth'],
  ['Insertion of IUD', 'birth'],
  ['Yaz 28 Day Pack', 'birth'],
  ['Sickle cell trait', 'sickle'],
  ['anemia drepanocítica', 'sickle'],
  ['HIV and depression in pregnancy', 'hiv mind birth'],
  ['HIV/depression,pregnancy', 'hiv mind birth'],
];

/** Near the words above. */
const NOT_TAGGED = [
  'Drug allergy',
  'drug use review',
  'No known drug allergies',
  'Hearing aids',
  'HEARING AIDS',
  'wears visual aids',
  'bowel prep',
  'ST depression in V4',
  'respiratory depression',
  'depressed skull fracture',
  'bipolar hemiarthroplasty',
  'bipolar electrocautery',
  'Smoking cessation counseling',
  'Tobacco use',
  'Nicotine dependence',
  'nicotine addiction',
  'Tobacco smoking status',
  'nonalcoholic fatty liver disease',
  'Non-alcoholic steatohepatitis',
  'isopropyl alcohol swab',
  'HPV, quadrivalent',
  'HPV vaccine',
  'herpes zoster',
  'Chlamydia pneumoniae',
  'nirmatrelvir 150 MG / ritonavir 100 MG',
  'altered mental status',
  'Stress (finding)',
  'family history of gout',
  'generic drug',
  'congenital heart disease',
  'acquired immunity',
  'Hemoglobin A1c',
  'sterilization of instruments',
  'hives',
  'archive',
  'Bowel movement regular, no abdominal pain',
  'additive effect',
  'Patient reports good appetite',
];

const ACT_CODE = 'http://terminology.hl7.org/CodeSystem/v3-ActCode';
const labelled = (code: string, system = ACT_CODE): object => ({
  security: [{ system, code }],
});

describe('the restricted classes of a resource', () => {
  it('follow its codes', () => {
    for (const [system, code, short] of CODES)
      assert.deepEqual(classifyResource(withCode(system, code)), classes(short), `${system} ${code}`);
  });

  it('follow its words, English and Spanish', () => {
    for (const [text, short] of WORDS)
      assert.deepEqual(classifyResource(withWords(text)), classes(short), text);
  });

  it('do not follow words that only resemble them', () => {
    for (const text of NOT_TAGGED) assert.deepEqual(classifyResource(withWords(text)), [], text);
  });

  it('follow security labels, wherever they stand', () => {
    const labels: [string, string][] = [
      ['HIV', 'hiv'],
      ['STD', 'hiv'],
      ['ETH', 'sud'],
      ['SUD', 'sud'],
      ['42CFRPart2', 'part2'],
      ['PSY', 'mind'],
      ['PSYTHPN', 'mind talk'],
      ['GDIS', 'gene'],
      ['SEX', 'birth'],
      ['SICKLE', 'sickle'],
      ['GENDER', 'mind birth'],
      ['COGN', 'mind'],
      ['DVD', 'mind'],
      ['HIPAAPsyNotes', 'mind talk'],
      ['Title38Section7332', 'hiv sud sickle'],
      ['HIPAANOPP', ''],
      ['CommonRule', ''],
      ['N', ''],
      ['TEST', ''],
    ];
    for (const [code, short] of labels) {
      for (const resource of [
        condition({ meta: labelled(code) }),
        { resourceType: 'DocumentReference', securityLabel: [{ coding: [{ code }] }] },
        { resourceType: 'Consent', provision: { securityLabel: [{ code }] } },
      ])
        assert.deepEqual(classifyResource(resource), classes(short), `${resource.resourceType} ${code}`);
    }
  });

  it('are all classes where a label says that it is restricted, but not why', () => {
    const confidential = 'http://terminology.hl7.org/CodeSystem/v3-Confidentiality';
    for (const code of ['R', 'V'])
      assert.equal(classifyResource(condition({ meta: labelled(code, confidential) })).length, 8);
    for (const code of ['SPI', 'PRS', 'ADOL', 'HIPAASelfPay', 'CTCOMPT'])
      assert.equal(classifyResource(condition({ meta: labelled(code) })).length, 8, code);
    for (const restricted of [
      { system: confidential, code: 'R' },
      { system: ACT_CODE, code: 'SPI' },
    ]) {
      const security = [restricted, { system: ACT_CODE, code: 'PSY' }];
      assert.deepEqual(classifyResource(condition({ meta: { security } })), classes('mind'));
    }
    assert.equal(classifyResource({ resourceType: 'Composition', confidentiality: 'R' }).length, 8);
    assert.deepEqual(classifyResource({ resourceType: 'Composition', confidentiality: 'N' }), []);
  });

  it('are all classes where a label says why, and no class has that', () => {
    for (const code of ['SDV', 'MST', 'VIO', 'TBOO']) {
      const security = [
        { system: ACT_CODE, code },
        { system: ACT_CODE, code: 'HIV' },
      ];
      assert.equal(classifyResource(condition({ meta: { security } })).length, 8, code);
    }
  });

  it('follow nested elements: components, notes, narrative, contained resources, attachments', () => {
    const data = Buffer.from('Started methadone.').toString('base64');
    for (const [resource, short] of [
      [{ component: [{ code: { coding: [{ system: LOINC, code: '44261-6' }] } }] }, 'mind'],
      [{ valueString: 'sickle cells seen' }, 'sickle'],
      [{ note: [{ text: 'HIV test repeated' }] }, 'hiv'],
      [{ text: { div: '<div><b>Pregnancy</b> test</div>' } }, 'birth'],
      [{ text: { div: '<div>H<b>I</b>V</div>' } }, 'hiv'],
      [{ text: { div: '<div>&#72;IV</div>' } }, 'hiv'],
      [{ text: { div: '<div>Menstruaci&oacute;n.</div>' } }, 'birth'],
      [{ text: { div: '<div>Histerectomi\u0301<b>a</b>.</div>' } }, 'birth'],
      [{ contained: [{ resourceType: 'Medication', code: { text: 'Truvada' } }] }, 'hiv'],
      [{ content: [{ attachment: { contentType: 'text/plain', data } }] }, 'sud'],
      [{ resourceType: 'Binary', contentType: 'text/plain', data }, 'sud'],
      [{ reasonCode: [{ extension: [{ valueCodeableConcept: { text: 'Schizophrenia' } }] }] }, 'mind'],
    ] as const)
      assert.deepEqual(classifyResource({ resourceType: 'Observation', ...resource }), classes(short));
  });

  for (const title of [
    'Substance use disorder counseling note',
    'SUD individual counselling session notes',
    'Nota de consejería sobre alcohol',
    'Nota de consejeri\u0301a\u00a0sobre alcohol',
    'Nota\u00a0de\u00a0psicoterapia',
  ]) {
    it(`include the class of psychotherapy notes for a counselor's note “${title}”`, () => {
      const note = { resourceType: 'DocumentReference', type: { text: title } };
      assert.ok(classifyResource(note).includes('PSYCHOTHERAPY_NOTES'));
    });
  }

  for (const [written, short] of [
    ['\uff28\uff29\uff36 positive', 'hiv'],
    ['H\u200bI\u2060V positive', 'hiv'],
    ['schizo\u00adphrenia', 'mind'],
    ['si\u0301filis', 'hiv'],
    ['Suboxone\u2122', 'sud'],
    ['heroin\u00b9', 'sud'],
  ] as const)
    it(`follow words as they read, however their letters are encoded: ${JSON.stringify(written)}`, () => {
      assert.deepEqual(classifyResource(withWords(written)), classes(short));
    });

  it('follow what an address holds itself: beside other data, in a narrative, in an extension', () => {
    const HIV = classes('hiv');
    const encode = (text: string): string => Buffer.from(text).toString('base64');
    const attach = (attachment: object): ParsedResource => ({
      resourceType: 'DocumentReference',
      content: [{ attachment: { contentType: 'text/plain', ...attachment } }],
    });
    const link = (address: string): ParsedResource =>
      condition({ text: { div: `<div><a href="${address}">x</a></div>` } });
    const inline = `data:text/plain;base64,${encode('HIV positive')}`;
    for (const resource of [
      attach({ data: encode('harmless'), url: inline }),
      attach({ url: `https://ehr.example/${'a/'.repeat(2100)}hiv-positive.txt` }),
      link(inline),
      link('data:,HIV%20positive'),
      condition({ extension: [{ url: 'urn:x', valueUrl: inline }] }),
      condition({ note: [{ text: `see ${inline} .` }] }),
    ])
      assert.deepEqual(classifyResource(resource), HIV, JSON.stringify(resource).slice(0, 200));
    const picture = 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ';
    for (const harmless of [
      link(picture),
      withWords('Lab data:K,Na and data: none, so far'),
      link('data:,well'),
    ])
      assert.deepEqual(
        [classifyResource(harmless), classify(harmless).unread],
        [[], []],
        JSON.stringify(harmless),
      );
    assert.equal(classify(link('data:application/pdf;base64,JVBERi0xLjQK')).unread.length, 1);
  });

  it('follow letters that only look Latin, letters written as in HTML, and the address of a file', () => {
    for (const text of ['HІV', 'ΗΙV', 'ꓧꓲꓦ', '&#72;&#73;&#86;', 'H&#x49;V', 'dерrеssіоn'])
      assert.notDeepEqual(classifyResource(withWords(text)), [], text);
    for (const text of ['α-thalassemia', 'Боль в спине', 'AT&T', 'R&D &lt; 5 mg'])
      assert.deepEqual(classifyResource(withWords(text)), [], text);
    const linked = (url: string): ParsedResource => ({
      resourceType: 'DocumentReference',
      content: [{ attachment: { url } }],
    });
    for (const url of ['https://a.example/hiv-clinic/load.pdf', 'https://a.example/docs/my%20HIV%2Dtest'])
      assert.deepEqual(classifyResource(linked(url)), classes('hiv'), url);
    assert.deepEqual(classifyResource(linked('https://a.example/Binary/archive-12')), []);
  });

  it('include what 42 CFR Part 2 covers where a resource says so', () => {
    for (const text of ['42 CFR Part 2 consent', 'Federal law (42 C.F.R. part 2) prohibits redisclosure'])
      assert.ok(classifyResource(withWords(text)).includes('SUD_PART_2'), text);
    for (const text of ['45 CFR part 164', '42 CFR Part 2.1', '42 CFR part 482'])
      assert.deepEqual(classifyResource(withWords(text)), [], text);
  });

  it('include the class of psychotherapy notes for a note with that title', () => {
    const note = { resourceType: 'DocumentReference', type: { text: 'Psychotherapy session note' } };
    assert.deepEqual(classifyResource(note), classes('mind talk'));
  });

  it('follow the category of genomic data', () => {
    assert.deepEqual(classifyResource({ resourceType: 'MolecularSequence' }), classes('gene'));
  });

  it('follow the words of codes without a name, in systems of anybody', () => {
    for (const system of [undefined, 'http://a.example/codes', 'urn:oid:1.2.3.4.5', `${HL7}/usage-context`])
      for (const [code, short] of [
        ['SCHIZOPHRENIA', 'mind'],
        ['SUICIDE_ATTEMPT', 'mind'],
        ['opioid_dependence', 'sud'],
        ['METHADONE10', 'sud'],
        ['ABORTION', 'birth'],
        ['HIV', 'hiv'],
        ['HIV-VL', 'hiv'],
        ['HIV1AB', 'hiv'],
        ['HIVViralLoad', 'hiv'],
        ['isHIVPositive', 'hiv'],
        ['CD4COUNT', 'hiv'],
        ['GC/CT', 'hiv'],
        ['PHQ9TOTAL', 'mind'],
        ['SÍFILIS', 'hiv'],
        ['GLU', ''],
        ['ALK_PHOS', ''],
        ['HEARING_AIDS', ''],
        ['WALKING-AIDS', ''],
        ['LITHIUM_HEPARIN', ''],
        ['ST-DEPRESSION', ''],
        ['PCP', ''],
        ['CG', ''],
        ['86406008', system === undefined ? 'hiv' : ''],
      ] as const)
        assert.deepEqual(
          classifyResource(condition({ code: { coding: [{ system, code }] } })),
          classes(short),
          `${system} ${code}`,
        );
  });

  it('follow a code of ICD or LOINC without a system, unless it says somebody’s race (case 482)', () => {
    const US_CORE = 'http://hl7.org/fhir/us/core/StructureDefinition/us-core-race';
    const toPatient = (extension: object): ParsedResource => ({
      resourceType: 'Patient',
      id: 'p',
      extension: [extension],
    });
    for (const each of [
      toPatient({
        url: US_CORE,
        extension: [
          { url: 'ombCategory', valueCoding: { code: '2106-3' } },
          { url: 'text', valueString: '2106-3' },
        ],
      }),
      toPatient({
        url: 'http://a.example/patientRace',
        valueCodeableConcept: { coding: [{ code: '2118-8' }] },
      }),
      toPatient({ url: 'http://a.example/other', valueCoding: { code: '2106-3', display: 'White' } }),
      condition({
        code: { text: 'Race' },
        valueCodeableConcept: { coding: [{ code: '2110-5', display: 'English' }] },
      }),
    ])
      assert.deepEqual(classifyResource(each), classes(''), JSON.stringify(each));
    for (const code of [
      { coding: [{ code: '2106-3' }] },
      { coding: [{ code: '2106-3', display: 'Choriogonadotropin' }] },
      { text: '2106-3' },
    ])
      assert.deepEqual(classifyResource(condition({ code })), classes('birth'), JSON.stringify(code));
    const alike = { url: 'http://a.example/trace', valueCoding: { code: '2106-3' } };
    assert.deepEqual(classifyResource(toPatient(alike)), classes('birth'));
  });

  it('do not follow what a device is called', () => {
    assert.deepEqual(
      classifyResource({ resourceType: 'Device', id: 'd', modelNumber: 'F40.1', lotNumber: 'Z21' }),
      classes(''),
    );
  });

  it('do not follow letters of codes that are abbreviations, or units', () => {
    for (const system of [
      `${HL7}/v3-ActReason`,
      `${HL7}/v2-0203`,
      'http://hl7.org/fhir/v2/0203',
      'urn:oid:2.16.840.1.113883.5.8',
      'urn:ietf:bcp:47',
      'http://unitsofmeasure.org',
    ])
      assert.deepEqual(classifyResource(withCode(system, 'HIV')), [], system);
    for (const unit of ['cg', 'mg', 'mmol/L'])
      assert.deepEqual(
        classifyResource(condition({ valueQuantity: { value: 1, unit, code: unit } })),
        [],
        unit,
      );
  });

  for (const [what, more, short] of [
    ['extensions', { extension: [{ url: 'http://a.example/hiv-status', valueBoolean: true }] }, 'hiv'],
    [
      'extensions that are denied',
      { extension: [{ url: 'http://a.example/onMethadone', valueBoolean: false }] },
      'sud',
    ],
    [
      'extensions in extensions',
      { extension: [{ url: 'http://a.example/history', extension: [{ url: 'schizophrenia' }] }] },
      'mind',
    ],
    ['modifiers', { modifierExtension: [{ url: 'urn:date-of-abortion', valueDate: '2020-01-01' }] }, 'birth'],
    ['units', { valueQuantity: { value: 50, unit: 'copies HIV RNA/mL' } }, 'hiv'],
    [
      'what a unit counts',
      { valueQuantity: { value: 5, system: 'http://unitsofmeasure.org', code: '{HIV copies}/mL' } },
      'hiv',
    ],
    ['profiles', { meta: { profile: ['http://a.example/StructureDefinition/hiv-viral-load|1.0'] } }, 'hiv'],
    ['sources', { meta: { source: 'http://a.example/methadone-clinic#1' } }, 'sud'],
    ['ids', { id: 'schizophrenia-1' }, 'mind'],
    ['ids with a number at the end', { id: 'HIV2.5f3ecd4a9b' }, 'hiv'],
    ['identifier systems', { identifier: [{ system: 'http://hiv-clinic.example', value: '1' }] }, 'hiv'],
    [
      'code systems',
      { code: { coding: [{ system: 'http://hiv-clinic.example/codes', code: 'A1' }] } },
      'hiv',
    ],
    ['addresses of files', { url: 'https://a.example/docs/HivTest.pdf' }, 'hiv'],
    ['policies', { resourceType: 'Provenance', policy: ['http://a.example/42-cfr-part-2'] }, 'part2'],
    [
      'web pages',
      { resourceType: 'Organization', telecom: [{ system: 'url', value: 'https://hiv-clinic.example' }] },
      'hiv',
    ],
    [
      'buildings',
      { resourceType: 'Location', address: { line: ['Methadone Clinic Building'], city: 'Semen' } },
      'sud',
    ],
    ['types of content', { content: [{ attachment: { contentType: 'text/plain; name=hiv.txt' } }] }, 'hiv'],
    ['link ids that are codes', { item: [{ linkId: '/44250-9' }, { linkId: '/1.2' }] }, 'mind'],
  ] as const)
    it(`follow the words of ${what}`, () => {
      assert.deepEqual(classifyResource(condition(more)), classes(short));
    });

  it('do not follow ids, addresses and numbers without words, random ones among them', () => {
    for (const id of [
      'eAB3mDIBBcyUKviyzrxsnAw3',
      'Tbt3KuCY0B5PSrJvCu2j-PlK.aiHsu2xUjUM8bWpetXoB',
      'aCgTxHivqZrBvIudLm',
      'ck9hiv2cg7iud',
      '86406008',
      '44250-9',
      'archive-12',
    ])
      assert.deepEqual(classifyResource(condition({ id, url: `http://a.example/${id}` })), [], id);
  });

  it('do not follow names of people, where they live, and what a reference leads to', () => {
    const resource = {
      resourceType: 'Practitioner',
      name: [{ family: 'Abort', given: ['Yaz'] }],
      address: [{ line: ['1 Methadone Road'], city: 'Semen' }],
      extension: [{ url: 'http://a.example/about', valueReference: { reference: 'Observation/hiv-1' } }],
    };
    assert.deepEqual(classifyResource(resource), []);
  });

  for (const [resource, short] of [
    [{ resourceType: 'MedicationRequest', medicationCodeableConcept: { text: 'Yasmin' } }, 'birth'],
    [{ resourceType: 'MedicationRequest', medicationReference: { display: 'Camila' } }, 'birth'],
    [{ resourceType: 'MedicationStatement', medication: { concept: { text: 'Skyla' } } }, 'birth'],
    [{ resourceType: 'Medication', code: { coding: [{ display: 'Heather' }] } }, 'birth'],
    [{ resourceType: 'List', entry: [{ item: { reference: 'Medication/1', display: 'Nikki' } }] }, 'birth'],
    [{ resourceType: 'Device', type: { text: 'Skyla' } }, 'birth'],
    [{ resourceType: 'CareTeam', participant: [{ member: { display: 'Heather Felton, RN' } }] }, ''],
    [{ resourceType: 'Encounter', participant: [{ individual: { display: 'Yasmin Khan' } }] }, ''],
    [{ resourceType: 'Practitioner', name: [{ text: 'Skyla Johnson' }] }, ''],
  ] as const)
    it(`case 491: follow brands that are names where a medicine stands: ${JSON.stringify(resource)}`, () => {
      assert.deepEqual(classifyResource(resource), classes(short));
    });

  for (const brand of ['Camila', 'Yasmin'])
    for (const more of [
      { resourceType: 'AllergyIntolerance', reaction: [{ substance: { text: brand } }] },
      {
        resourceType: 'CarePlan',
        activity: [{ detail: { kind: 'MedicationRequest', code: { text: brand } } }],
      },
      { resourceType: 'CarePlan', activity: [{ detail: { productCodeableConcept: { text: brand } } }] },
      { resourceType: 'RequestGroup', action: [{ title: brand }] },
      { resourceType: 'Procedure', usedCode: [{ text: brand }] },
      {
        resourceType: 'Procedure',
        focalDevice: [{ manipulated: { reference: 'Device/1', display: brand } }],
      },
      { resourceType: 'DeviceUseStatement', device: { display: brand } },
      { resourceType: 'DeviceRequest', codeCodeableConcept: { text: brand } },
      { resourceType: 'ServiceRequest', code: { text: brand } },
      { resourceType: 'ServiceRequest', orderDetail: [{ text: brand }] },
      { resourceType: 'Device', definition: { display: brand } },
      { resourceType: 'Device', modelNumber: brand },
      { resourceType: 'Device', deviceName: [{ name: brand }] },
      { resourceType: 'Claim', item: [{ service: { text: brand } }] },
      { resourceType: 'Claim', prescription: { display: brand } },
      { resourceType: 'Claim', supportingInfo: [{ code: { text: brand } }] },
      { resourceType: 'MedicationRequest', priorPrescription: { display: brand } },
      { resourceType: 'MedicationDispense', authorizingPrescription: [{ display: brand }] },
      { resourceType: 'MedicationKnowledge', synonym: [brand] },
      { resourceType: 'Medication', ingredient: [{ item: { concept: { text: brand } } }] },
      { resourceType: 'MedicationRequest', text: { div: `<div>${brand}</div>` } },
      { resourceType: 'List', entry: [{ item: { reference: 'urn:uuid:1', display: brand } }] },
      { resourceType: 'List', entry: [{ item: { type: 'MedicationStatement', display: brand } }] },
      { resourceType: 'Composition', section: [{ entry: [{ reference: 'urn:uuid:1', display: brand }] }] },
      {
        resourceType: 'Composition',
        section: [{ title: 'Medications', text: { div: `<div><p>${brand}</p></div>` } }],
      },
      {
        resourceType: 'Composition',
        section: [{ text: { div: `<table><tr><th>Medication</th></tr><tr><td>${brand}</td></tr></table>` } }],
      },
      { item: [{ text: 'Current medications', answer: [{ valueString: `lisinopril, ${brand}` }] }] },
      { item: [{ text: 'Meds', item: [{ text: 'Name', answer: [{ valueCoding: { display: brand } }] }] }] },
      { resourceType: 'Observation', code: { text: 'Medications' }, valueString: brand },
    ])
      it(`case 493: follow brands that are names where only a medicine stands: ${JSON.stringify(more)}`, () => {
        assert.deepEqual(
          classifyResource({ resourceType: 'QuestionnaireResponse', ...more }),
          classes('birth'),
        );
      });

  for (const resource of [
    { resourceType: 'Encounter', participant: [{ individual: { display: 'Mirena Quux' } }] },
    { resourceType: 'Observation', performer: [{ reference: 'Practitioner/1', display: 'Mirena' }] },
    { resourceType: 'Condition', subject: { reference: 'urn:uuid:1', display: 'Yasm\u00edn Quux' } },
    { resourceType: 'Patient', name: [{ text: 'Yasmin Quux' }], text: { div: '<div>Yasmin Quux</div>' } },
    { resourceType: 'Patient', contact: [{ name: { text: 'Skyla Quux' } }] },
    { resourceType: 'Condition', note: [{ authorString: 'Yasmin Quux' }] },
    { resourceType: 'MedicationRequest', requester: { display: 'Heather' } },
    { resourceType: 'MedicationDispense', location: { display: 'Charlotte' } },
    { resourceType: 'List', entry: [{ item: { reference: 'Location/1', display: 'Charlotte' } }] },
    { resourceType: 'AllergyIntolerance', code: { text: 'Heather pollen' } },
    { resourceType: 'Claim', item: [{ productOrService: { text: 'Ambulance transfer to Charlotte' } }] },
    { resourceType: 'Medication', code: { text: 'Amoxicillin (Charlotte pharmacy)' } },
  ])
    it(`case 493: do not follow brands where somebody, a place or a plant is named: ${JSON.stringify(resource)}`, () => {
      assert.deepEqual(classifyResource(resource), []);
    });

  it('case 493: follow brands in the narrative of somebody that speaks of medicines, or holds them', () => {
    for (const text of [
      'Medications: Yasmin',
      'Yasmin 3 mg',
      '{"medicationCodeableConcept":{"text":"Yasmin"}}',
    ])
      assert.deepEqual(
        classifyResource({ resourceType: 'Patient', text: { div: `<div>${text}</div>` } }),
        classes('birth'),
        text,
      );
  });

  it('case 493: follow the brand of a device that took part, and other words beside somebody', () => {
    for (const actor of [
      { reference: 'Device/1', display: 'Mirena' },
      { display: 'Mirena' },
      { display: 'Mirena IUD' },
    ])
      assert.deepEqual(
        classifyResource({ resourceType: 'Procedure', performer: [{ actor }] }),
        classes('birth'),
      );
  });

  for (const [more, short] of [
    [{ code: { text: 'PCP' }, valueString: 'Negative' }, 'sud'],
    [{ code: { coding: [{ code: 'PCP' }] }, valueQuantity: { value: 30, unit: 'ng/mL' } }, 'sud'],
    [{ component: [{ code: { text: 'PCP' }, valueCodeableConcept: { text: 'Not detected' } }] }, 'sud'],
    [{ code: { text: 'PCP' }, valueString: 'Dr. Smith' }, ''],
    ...[
      ...[
        '< 25',
        'Absent',
        'N',
        'Negativo',
        'NONE DET',
        'see note',
        'No PCP detected',
        'Jones Lab: Positive',
      ].map((valueString) => ({ code: { text: 'PCP' }, valueString })),
      ...['PCP-U', 'U-PCP', 'PCP 25', 'PCP DAU', 'UR PCP', 'PCP en orina', 'PCP (Phencyc)'].map((text) => ({
        code: { text },
        valueString: 'Neg',
      })),
      { code: { text: 'PCP' }, valueBoolean: false },
      { code: { text: 'PCP' }, valueInteger: 30 },
      { code: { text: 'PCP' }, dataAbsentReason: { text: 'pending' } },
      { component: [{ code: { text: 'PCP' }, valueCodeableConcept: { coding: [{ code: 'N' }] } }] },
      { code: { text: 'PCP' }, category: [{ coding: [{ code: 'laboratory' }] }] },
      { resourceType: 'ServiceRequest', code: { text: 'PCP' }, category: [{ text: 'Laboratory' }] },
      { resourceType: 'Condition', code: { text: 'PCP' } },
    ].map((more) => [more, 'sud'] as const),
    [{ code: { text: 'CG' }, valueString: '1200' }, 'birth'],
    [{ code: { text: 'CG' }, valueString: 'Ann Jones' }, ''],
    ...['Dr. Jones', 'Jones, Ann', 'Nolan Pendleton, MD', 'Lowe Family Practice', 'Dr. Negrete 555-1234'].map(
      (valueString) => [{ code: { text: 'PCP' }, valueString }, ''] as const,
    ),
    [{ code: { text: 'PCP' }, valueReference: { display: 'Ann Jones' } }, ''],
    [{ resourceType: 'ServiceRequest', code: { text: 'PCP' } }, ''],
    [{ participant: [{ role: [{ coding: [{ code: 'PCP', display: 'PCP' }], text: 'PCP' }] }] }, ''],
  ] as const)
    it(`cases 491, 494: follow letters of two meanings by their value: ${JSON.stringify(more)}`, () => {
      assert.deepEqual(classifyResource({ resourceType: 'Observation', ...more }), classes(short));
    });

  it('case 492: do not follow a passing feeling as the reaction to a substance, but all else of it', () => {
    const reaction = (manifestation: unknown): RestrictedScope[] =>
      classifyResource({ resourceType: 'AllergyIntolerance', reaction: [{ manifestation }] });
    const coding = { system: SNOMED, code: '48694002', display: 'Anxiety' };
    for (const passing of [
      [{ text: 'ANXIETY' }],
      [{ coding: [coding] }],
      [{ text: 'Nervousness' }, { text: 'Ansiedad' }],
      [{ text: 'Anxiety' }, { text: 'Hives' }],
      [
        {
          coding: [coding, { system: 'urn:oid:1.2.840.114350.1', code: '7', display: 'Anxiety' }],
          text: 'Anxiety.',
        },
      ],
      [{ coding: [{ system: SNOMED, code: '48694002' }] }],
      [{ text: 'agitation, anxiety', id: '1' }],
    ])
      assert.deepEqual(reaction(passing), [], JSON.stringify(passing));
    for (const [other, short] of [
      [[{ text: 'Anxiety disorder' }], 'mind'],
      [[{ text: 'Suicidal thoughts' }], 'mind'],
      [[{ text: 'ANXIETY', extension: [{ url: 'http://a.example/hiv-status' }] }], 'hiv mind'],
      [[{ coding: [{ ...coding, code: '86406008' }] }], 'hiv mind'],
      [[{ text: 'Anxiety' }, { text: 'Depression' }], 'mind'],
      [[{ text: 'Anxiety' }, { text: 'HIV' }], 'hiv'],
      [[{ text: 'Anxiety, depression' }], 'mind'],
      [[{ coding: [{ ...coding, system: 'urn:oid:1.2.3', code: '86406008' }] }], 'mind'],
      [
        [{ coding: [{ system: 'http://hl7.org/fhir/sid/icd-10-cm', code: 'F41.9', display: 'Anxiety' }] }],
        'mind',
      ],
      [[{ text: 'Anxiety', id: 'hiv' }], 'hiv mind'],
      [[{ coding: [{ ...coding, userSelected: 'HIV' }] }], 'hiv mind'],
      [[[{ text: 'Anxiety' }, { text: 'HIV' }]], 'hiv'],
    ] as const)
      assert.deepEqual(reaction(other), classes(short), JSON.stringify(other));
    const described = (description: string): RestrictedScope[] =>
      classifyResource({
        resourceType: 'AllergyIntolerance',
        reaction: [{ description, manifestation: [{ text: 'Anxiety' }] }],
      });
    assert.deepEqual(described('Anxiety'), []);
    assert.deepEqual(classifyResource(condition({ manifestation: [{ text: 'Anxiety' }] })), classes('mind'));
    assert.deepEqual(described('Anxiety disorder'), classes('mind'));
    assert.deepEqual(classifyResource(condition({ code: { text: 'Anxiety' } })), classes('mind'));
  });

  it('are found in any malformed resource', () => {
    let deep: unknown = 'HIV';
    for (let level = 0; level < 50_000; level++) deep = { text: [deep] };
    assert.deepEqual(classifyResource(condition({ deep })), classes('hiv'));
    for (const odd of [null, [null, [[]]], { code: 7 }, { security: 'R' }, { security: null }, { data: '%' }])
      assert.doesNotThrow(() => classifyResource(condition({ code: odd, meta: odd, securityLabel: odd })));
  });
});
