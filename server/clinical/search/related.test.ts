import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createChart, entry, type Chart, type TestEntry } from '../../../test/harness/chart.ts';
import { openTestStore } from '../../../test/harness/store.ts';
import { toRequiredMask } from '../../consent/access/sensitivity-labels.ts';
import { sql } from '../../platform/db/sql.ts';
import { search as searchTool } from '../../surfaces/mcp/tools/search.ts';

const store = await openTestStore();
after(() => store.remove());

const lab = (title: string, loinc: string): TestEntry =>
  entry('lab', title, { dayText: '2026-05-01', code: `http://loinc.org|${loinc}`, detail: { value: '1' } });

/** Titles as laboratories shorten them, so that no word of a question stands in them. */
const RECORD = [
  lab('TSH', '3016-3'),
  lab('LDL', '13457-7'),
  lab('ALT', '1742-6'),
  lab('Creat', '2160-0'),
  lab('hs-cTnI', '89579-7'),
  lab('pO2 arterial', '2703-7'),
  lab('Gluc', '2345-7'),
  lab('FER', '2276-4'),
  lab('25-OH D', '1989-3'),
  lab('Testost total', '2986-8'),
  lab('PSA', '2857-1'),
  lab('CRP', '1988-5'),
  lab('K', '2823-3'),
  entry('medication', 'Levothyroxine 88 mcg', { dayText: '2026-01-01', status: 'active' }),
  entry('medication', 'Alendronate 70 MG', { dayText: '2026-01-01', status: 'active' }),
  entry('medication', 'Timolol ophthalmic', { dayText: '2026-01-01', status: 'active' }),
  entry('allergy', 'Aspirin', { dayText: '2011-01-01' }),
];

/** What is near an organ or an illness of which the record says nothing. */
const NEAR: readonly (readonly [query: string, titles: readonly string[]])[] = [
  ['thyroid', ['Levothyroxine 88 mcg', 'TSH']],
  ['tiroides', ['Levothyroxine 88 mcg', 'TSH']],
  ['hypothyroidism', ['Levothyroxine 88 mcg', 'TSH']],
  ['liver', ['ALT']],
  ['hígado', ['ALT']],
  ['kidneys', ['Creat']],
  ['riñones', ['Creat']],
  ['heart', ['hs-cTnI']],
  ['corazón', ['hs-cTnI']],
  ['lungs', ['pO2 arterial']],
  ['pulmones', ['pO2 arterial']],
  ['próstata', ['PSA']],
  ['bones', ['25-OH D', 'Alendronate 70 MG']],
  ['huesos', ['25-OH D', 'Alendronate 70 MG']],
  ['glaucoma', ['Timolol ophthalmic']],
  ['infection', ['CRP']],
  ['infección', ['CRP']],
];

/** Words for several tests, which are narrower. */
const NARROWER: readonly (readonly [query: string, titles: readonly string[]])[] = [
  ['cholesterol', ['LDL']],
  ['colesterol', ['LDL']],
  ['blood sugar', ['Gluc']],
  ['azúcar en la sangre', ['Gluc']],
  ['iron', ['FER']],
  ['hierro', ['FER']],
  ['vitamins', ['25-OH D']],
  ['vitaminas', ['25-OH D']],
  ['hormones', ['TSH', 'Testost total']],
  ['hormonas', ['TSH', 'Testost total']],
];

const readTitles = (text: string): string[] =>
  [...text.matchAll(/^\| (?!Type|Title|---)(?:(?:Laboratory result|Medication) \| )?([^|]+?) \|/gm)]
    .map((match) => match[1] ?? '')
    .sort();

describe('search for what the record does not name', () => {
  let chart: Chart;
  before(async () => {
    chart = await createChart(store.db);
    await chart.add(...RECORD);
  });

  for (const [query, titles] of NEAR)
    it(`finds what is near “${query}”, and says that it is not the thing itself`, async () => {
      const text = await chart.callTool('search', { query });
      assert.deepEqual(readTitles(text), titles, text);
      assert.match(text, new RegExp(`No entry is of “${query}” itself; these are related`), text);
    });

  for (const [query, titles] of NARROWER)
    it(`finds the tests that “${query}” is of`, async () => {
      const text = await chart.callTool('search', { query });
      assert.deepEqual(readTitles(text), titles, text);
      assert.doesNotMatch(text, /itself/);
    });

  it('finds no test of many illnesses, no member of a panel and no allergy to what treats it', async () => {
    for (const query of ['arthritis', 'diabetes', 'metformin', 'dialysis', 'lupus'])
      assert.match(await chart.callTool('search', { query }), /\nNothing found for/, query);
  });

  it('says nothing of the kind where the thing itself is found', async () => {
    await chart.add(entry('condition', 'Hypothyroidism', { dayText: '2020-01-01' }));
    const text = await chart.callTool('search', { query: 'hypothyroidism' });
    assert.match(text, /\| Condition \| Hypothyroidism \|/);
    assert.doesNotMatch(text, /itself/);
  });
});

describe('search for what is not so', () => {
  it('says of the time that is asked for that only what is related is of it', async () => {
    const chart = await createChart(store.db);
    await chart.add(
      entry('vital', 'Body weight', {
        dayText: '2015-01-01',
        code: 'http://loinc.org|29463-7',
        detail: { value: '80' },
      }),
      entry('condition', 'Obesity', { dayText: '2008-01-01', current: true }),
    );
    const text = await chart.callTool('search', { query: 'weight in 2010' });
    assert.match(text, /No entry is of “weight” itself \(2010-01-01 to 2010-12-31\);/, text);
  });

  it('says of a symptom that a note names it beside a negation, and that an illness which may have it does not say so', async () => {
    const chart = await createChart(store.db);
    const note = entry('note', 'Visit', {
      dayText: '2024-01-01',
      detail: { text: 'History of kidney stones. Denies hematuria.' },
    });
    await chart.add(note);
    for (const query of ['hematuria', 'blood in urine']) {
      const text = await chart.callTool('search', { query });
      assert.match(text, new RegExp(`No entry is of “${query}” itself; these are related`), text);
      assert.match(
        text,
        new RegExp(
          `“${query}”: named in this record beside .+, which may or may not deny it: search for “no ${query}” to read where`,
        ),
        text,
      );
    }
    assert.doesNotMatch(await chart.callTool('search', { query: 'kidney stones' }), /itself|deny/);
    await chart.add(entry('condition', 'Hematuria', { dayText: '2025-01-01' }));
    assert.doesNotMatch(await chart.callTool('search', { query: 'hematuria' }), /itself|deny/);
  });
});

describe('search for what somebody did against advice', () => {
  it('finds it by the word, which beside a vaccine says nothing', async () => {
    const chart = await createChart(store.db);
    const note = (text: string) => entry('note', text, { dayText: '2024-01-01', detail: { text } });
    await chart.add(note('Patient left AMA on hospital day 2.'), note('Discussed other matters.'));
    for (const query of ['against medical advice', 'did I leave against medical advice'])
      assert.match(await chart.callTool('search', { query }), /left AMA/, query);
  });
});

describe('search for what a text names beside a negation', () => {
  const searchIn = async (text: string, query: string) => {
    const chart = await createChart(store.db);
    await chart.add(entry('note', 'Visit', { dayText: '2024-01-01', detail: { text } }));
    return { chart, text: await chart.callTool('search', { query }) };
  };

  it('states no denial, which the text may not make', async () => {
    for (const [text, query] of [
      ['Cannot rule out pneumonia.', 'pneumonia'],
      ['No worsening of dyspnea.', 'dyspnea'],
      ['No relief of constipation from senna.', 'constipation'],
      ['No reason for the hematuria was found.', 'hematuria'],
      ['No resolution of the hiccups.', 'hiccups'],
      ['No family history of breast cancer.', 'breast cancer'],
    ] as const)
      assert.doesNotMatch((await searchIn(text, query)).text, /denied/, text);
  });

  it('counts the text for what the answer discloses, and says nothing of one that the consent leaves out', async () => {
    const { chart } = await searchIn('Denies hematuria.', 'hematuria');
    const ask = () => searchTool.run(chart.deps, chart.access, { query: 'hematuria' });
    const { text, audit } = await ask();
    assert.match(text, /“hematuria”: named in this record beside/);
    assert.deepEqual(audit, {
      categories: ['CLINICAL_NOTES'],
      from: '2024-01-01',
      until: '2024-01-01',
      entries: 1,
    });
    await store.db.query(sql`
      update consent set withheld = ${toRequiredMask('CLINICAL_NOTES')} where patient_id = ${chart.patientId}`);
    const withheld = await ask();
    assert.doesNotMatch(withheld.text, /named in this record/);
    assert.deepEqual(withheld.audit?.categories, []);
  });

  it('names the concept where the words with “no” would be read as another', async () => {
    const { text } = await searchIn('Denies hematuria.', 'peeing blood');
    assert.match(text, /“peeing blood”: named in this record beside .+: search for “no hematuria” to read/);
  });
});

describe('search for what of several things the record has but one', () => {
  it('does not list what is near it', async () => {
    const chart = await createChart(store.db);
    await chart.add(
      lab('Leukocytes', '6690-2'),
      // So common here that one alone is too small a share of what is asked for.
      ...['Influenza', 'Pneumonia', 'Measles', 'Mumps', 'Cystitis', 'Mastitis', 'Shingles', 'Sepsis'].map(
        (title) => entry('condition', title, { dayText: '2020-01-01' }),
      ),
    );
    const query = 'is my infection resistant to vancomycin';
    assert.doesNotMatch(await chart.callTool('search', { query }), /Leukocytes/);
  });
});

describe('search for a disease of which a vaccine is recorded', () => {
  const given = (title: string, cvx = ''): TestEntry =>
    entry('immunization', title, {
      dayText: '2018-07-31',
      ...(cvx === '' ? {} : { code: `http://hl7.org/fhir/sid/cvx|${cvx}` }),
    });
  const note = entry('note', 'Progress note', {
    dayText: '2018-07-31',
    detail: {
      text: 'Patient was given the following immunizations: hpv, quadrivalent, hep a, ped/adol, 2 dose, influenza, seasonal. Had a covid vaccine before.',
    },
  });
  const COMBINED: readonly (readonly [entries: readonly TestEntry[], queries: readonly string[]])[] = [
    [
      [given('MMR', '03')],
      ['do I have measles', 'measles', 'have I had mumps', 'rubella', '¿he tenido sarampión?'],
    ],
    [[given('DTaP', '20')], ['have I had whooping cough', 'do I have diphtheria', 'do I have lockjaw']],
    [[given('Pneumococcal conjugate PCV 13', '133')], ['do I have pneumonia', 'pneumonia']],
    [[given('meningococcal MCV4P', '114')], ['do I have meningitis']],
    [[given('HPV, quadrivalent', '62'), note], ['do I have HPV']],
    [[given('Influenza, seasonal, injectable', '140'), note], ['have I had the flu']],
    [[given('Hep A, ped/adol, 2 dose', '83'), note], ['did I have hepatitis A']],
    [[given('SARS-COV-2 (COVID-19) vaccine, mRNA', '208'), note], ['have I had covid']],
  ];
  for (const [entries, queries] of COMBINED)
    it(`says of “${queries.join('”, “')}” that only a vaccine is recorded, also in ${entries.length} texts`, async () => {
      const chart = await createChart(store.db);
      await chart.add(...entries);
      for (const query of queries) {
        const text = await chart.callTool('search', { query });
        assert.match(text, /\| Immunization \|/, query);
        assert.match(text, /itself; .*vaccination against it\)?, and do(?:es)? not say that it is so/, text);
      }
    });

  it('finds no vaccine for an organ, nor for the cancer that an infection may cause', async () => {
    const chart = await createChart(store.db);
    await chart.add(given('Pneumococcal conjugate PCV 13', '133'), given('HPV, quadrivalent', '62'));
    for (const query of ['lungs', 'do I have cervical cancer'])
      assert.match(await chart.callTool('search', { query }), /\nNothing found for/, query);
  });

  for (const title of ['COVID-19', 'Varicella', 'Measles', 'Hepatitis B', 'HPV', 'Polio', 'Zoster', 'Rabies'])
    it(`finds the vaccine “${title}”, near it or as what is asked for`, async () => {
      const chart = await createChart(store.db);
      await chart.add(entry('immunization', title, { dayText: '2024-01-01' }));
      for (const [query, isMeant] of [
        [`have I had ${title}`, false],
        [`when did I get ${title}`, false],
        [`am I up to date on ${title}`, true],
        [`did I get my ${title}`, true],
        [`¿cuándo me pusieron ${title}?`, true],
      ] as const) {
        const text = await chart.callTool('search', { query });
        assert.match(text, new RegExp(`\\| ${title} \\|`), query);
        assert.equal(/itself; what is recorded is vaccination against it/.test(text), !isMeant, text);
      }
    });

  it('finds no disease where the vaccine against it is asked for', async () => {
    const chart = await createChart(store.db);
    await chart.add(
      ...['COVID-19', 'Pneumonia', 'Viral hepatitis', 'Cirrhosis of liver', 'Tetanus'].map((title) =>
        entry('condition', title, { dayText: '2020-01-01' }),
      ),
      entry('medication', 'Penicillin V 250 MG', { dayText: '2020-01-01' }),
    );
    for (const query of [
      'vacuna covid',
      'vacuna covid-19',
      'covid vaccination',
      'vaccinated against covid',
      'refuerzo covid-19',
      'vacuna neumonía',
      'vacuna hepatitis',
      'hepatitis shot',
      'Hepatitis Impfung',
      'shot for tetanus',
    ])
      assert.match(await chart.callTool('search', { query }), /\nNothing found for/, query);
    await chart.add(given('Hep B, adult', '43'));
    for (const query of ['vacuna hepatitis', 'hepatitis shot', 'Hepatitis-Impfung'])
      assert.match(await chart.callTool('search', { query }), /Hep B, adult/, query);
  });

  it('finds the combined vaccine for one that it is against, and nothing of what else it is against', async () => {
    const chart = await createChart(store.db);
    await chart.add(
      given('Tdap', '115'),
      entry('condition', 'Hepatitis B', { dayText: '2020-01-01' }),
      entry('lab', 'Hepatitis B surface Ag', { dayText: '2020-01-01', detail: { value: 'Negative' } }),
    );
    for (const query of ['refuerzo del tétano', 'refuerzo de tétanos', 'vacuna tétanos', 'tetanus booster']) {
      const text = await chart.callTool('search', { query });
      assert.match(text, /\| Tdap \|/, text);
      assert.doesNotMatch(text, /\| Hepatitis B/, text);
    }
  });

  it('finds the vaccine that somebody was “vaccinated against”, and those not given where one was refused', async () => {
    const chart = await createChart(store.db);
    await chart.add(
      given('MMR', '03'),
      given('IPV', '10'),
      given('Tdap', '115'),
      entry('immunization', 'Td', {
        dayText: '2018-07-31',
        status: 'not-done',
        detail: { notDone: true, notDoneReason: 'Patient Objection' },
      }),
      entry('note', 'Visit note', {
        dayText: '2018-07-31',
        detail: { text: 'She refused the flu vaccine.' },
      }),
    );
    for (const [query, title] of [
      ['am I vaccinated against measles', 'MMR'],
      ['am I immunised against measles', 'MMR'],
      ['am I protected against measles', 'MMR'],
      ['vaccinated against polio', 'IPV'],
      ['have I had a jab against whooping cough', 'Tdap'],
    ] as const) {
      const text = await chart.callTool('search', { query });
      assert.match(text, new RegExp(`\\| Immunization \\| ${title} \\|`), query);
      assert.doesNotMatch(text, /Without a result|contains|refused|No single/, text);
    }
    for (const query of [
      'refused vaccines',
      'vaccines not given',
      'did she refuse a vaccine',
      'vacunas rechazadas',
    ]) {
      const text = await chart.callTool('search', { query });
      assert.match(text, /\| Immunization \| Td \|[^\n]*not given[\s\S]*refused the flu vaccine/, text);
      assert.doesNotMatch(text, /\| (?:MMR|IPV|Tdap) \|/, text);
    }
  });

  it('takes a vaccine by its name for no combined one', async () => {
    const chart = await createChart(store.db);
    await chart.add(given('MMR'), given('Varicella vaccine'), given('Hepatitis B vaccine'));
    for (const query of ['measles', 'do I have mumps']) {
      const text = await chart.callTool('search', { query });
      assert.match(text, /\| MMR \|/, text);
      assert.doesNotMatch(text, /Varicella|Hepatitis/, text);
    }
    for (const query of ['polio', 'diphtheria', 'hepatitis A'])
      assert.match(await chart.callTool('search', { query }), /\nNothing found for/, query);
    for (const [query, title] of [
      ['chickenpox', 'Varicella'],
      ['hepatitis B', 'Hepatitis B'],
    ] as const)
      assert.match(await chart.callTool('search', { query }), new RegExp(`\\| ${title} vaccine`), query);
  });

  it('does not take what else is put in for a vaccine', async () => {
    const chart = await createChart(store.db);
    await chart.add(entry('immunization', 'Measles', { dayText: '2024-01-01' }));
    assert.match(
      await chart.callTool('search', { query: '¿cuándo me pusieron el marcapasos?' }),
      /\nNothing found for “cardiac pacemaker”/,
    );
  });
});

describe('search for what a record says in codes or brackets', () => {
  it('finds imaging studies, examinations and reports by how and of what they are', async () => {
    const chart = await createChart(store.db);
    const study = (title: string, dayText: string): TestEntry => entry('imaging', title, { dayText });
    await chart.add(
      study('MR, Brain', '2026-01-01'),
      study('MG, Breast', '2026-01-02'),
      study('CR, Knee', '2026-01-03'),
      study('PT, Whole body', '2026-01-04'),
      study('Computed Radiography: Chest', '2026-01-05'),
      study('Magnetic Resonance, Knee', '2025-01-01'),
      entry('procedure', 'Computed Tomography, Chest', { dayText: '2024-01-01' }),
      entry('procedure', 'Ultrasound: Abdomen', { dayText: '2024-01-02' }),
    );
    for (const [query, title] of [
      ['brain MRI', 'MR, Brain'],
      ['mammogram', 'MG, Breast'],
      ['knee x-ray', 'CR, Knee'],
      ['PET scan', 'PT, Whole body'],
      ['chest x-ray', 'Computed Radiography: Chest'],
      ['radiografía de tórax', 'Computed Radiography: Chest'],
      ['knee MRI', 'Magnetic Resonance, Knee'],
      ['when was my last MRI', 'MR, Brain'],
      ['chest CT', 'Computed Tomography, Chest'],
      ['abdominal ultrasound', 'Ultrasound: Abdomen'],
    ] as const) {
      const [first] = (await chart.callTool('search', { query })).matchAll(
        /^\| (?:Imaging study|Procedure) \| ([^|]+?) \|/gm,
      );
      assert.equal(first?.[1], title, query);
    }
  });

  it('finds what an infection is resistant to', async () => {
    const chart = await createChart(store.db);
    await chart.add(
      entry('lab', 'Ciprofloxacin [Susceptibility]', {
        code: 'http://loinc.org|18906-8',
        detail: { value: '>=4', interpretation: 'Resistant' },
      }),
    );
    for (const query of [
      'antibiotic resistance',
      'antibiograma',
      'is my bacteria resistant',
      'culture sensitivities',
    ])
      assert.match(await chart.callTool('search', { query }), /Ciprofloxacin/, query);
    for (const query of ['treatment resistant depression', 'resistant hypertension'])
      assert.match(await chart.callTool('search', { query }), /\nNothing found for/, query);
  });

  it('finds whether somebody is pregnant by what is stated as by the test', async () => {
    const chart = await createChart(store.db);
    await chart.add(
      entry('social_history', 'Pregnancy status', {
        code: 'http://loinc.org|82810-3',
        detail: { value: 'Pregnant' },
      }),
      entry('lab', 'hCG, urine', { code: 'http://loinc.org|2106-3', detail: { value: 'Negative' } }),
    );
    for (const query of ['¿estoy embarazada?', 'am I pregnant', 'bin ich schwanger'])
      assert.match(await chart.callTool('search', { query }), /Pregnancy status[\s\S]*hCG, urine/, query);
  });
});

describe('search for what has several values, or words in its middle', () => {
  const state = (
    kind: 'lab' | 'social_history',
    title: string,
    value: string,
    dayText: string | null,
  ): TestEntry => entry(kind, title, { dayText, groupKey: title, detail: { value } });

  it('shows contradicting values of one time side by side', async () => {
    const chart = await createChart(store.db);
    await chart.add(
      state('social_history', 'Tobacco smoking status', 'Current every day smoker', null),
      state('social_history', 'Tobacco smoking status', 'Never smoker', null),
      state('lab', 'Blood group', 'A positive', '2026-01-01'),
      state('lab', 'Blood group', 'B negative', '2026-01-01'),
      state('lab', 'Blood group', 'A positive', '2020-01-01'),
      state('lab', 'Glucose', '300', '2026-01-01'),
      state('lab', 'Glucose', '100', '2026-01-01'),
      state('lab', 'Glucose', '100', '2025-01-01'),
    );
    for (const [query, ...values] of [
      ['do I smoke', 'Never smoker', 'Current every day smoker'],
      ['blood type', 'A positive', 'B negative'],
      ['glucose', '300', '100'],
    ] as const) {
      const text = await chart.callTool('search', { query });
      for (const value of values) assert.match(text, new RegExp(`\\| ${value} `), text);
      assert.match(text, /\n2 results/, text);
    }
    assert.match(await chart.callTool('search', { query: 'highest glucose' }), /\n1 result/);
  });

  it('shows one row of what is only written otherwise, is preliminary, or states no value of its own', async () => {
    const written = (
      value: string | null,
      unit: string | null,
      more: { status?: string; reference?: string } = {},
    ): TestEntry => ({
      ...entry('lab', 'Hemoglobin', { dayText: '2026-01-01', groupKey: 'hb', detail: { value, unit } }),
      ...more,
    });
    for (const [expected, ...entries] of [
      ['16 g/dL', written('16', 'g/dL'), written(null, null, { reference: 'DiagnosticReport/1' })],
      ['16 g/dL', written(null, null, { reference: 'DiagnosticReport/1' }), written('16', 'g/dL')],
      ['37(?:\\.0)? (?:°C|Cel)', written('37', '°C'), written('37.0', 'Cel')],
      ['70(?:\\.0)? k', written('70', 'kg'), written('70.0', 'kilogram')],
      [
        '13\\.2 g',
        written('13', 'g/dL', { status: 'preliminary' }),
        written('13.2', 'g/dL', { status: 'final' }),
      ],
      [
        '13\\.2 g',
        written('13.2', 'g/dL', { status: 'final' }),
        written('13', 'g/dL', { status: 'preliminary' }),
      ],
    ] as const) {
      const chart = await createChart(store.db);
      await chart.add(...entries);
      const text = await chart.callTool('search', { query: 'hemoglobin' });
      assert.match(text, new RegExp(`\\| ${expected}.*\\| and 1 more`), text);
      assert.match(text, /\n1 result/, text);
    }
  });

  it('finds what a note says of one side of the body', async () => {
    const chart = await createChart(store.db);
    const note = (text: string): TestEntry =>
      entry('note', 'Visit note', { dayText: '2026-01-01', detail: { text } });
    await chart.add(
      note('X-rays of the right knee were taken.'),
      note('X-ray of the left elbow shows an effusion.'),
      note('MRI of the left shoulder shows a tear.'),
      note('X-ray imaging of her right ankle was obtained.'),
      note('Radiografía del codo derecho. There is CVA tenderness on the left.'),
    );
    for (const [query, found] of [
      ['knee x-ray', 'right knee'],
      ['radiografía de rodilla', 'right knee'],
      ['elbow x-ray', 'left elbow'],
      ['shoulder MRI', 'left shoulder'],
      ['ankle x-ray', 'right ankle'],
      ['CVA tenderness', 'CVA tenderness'],
    ] as const)
      assert.match(await chart.callTool('search', { query }), new RegExp(found), query);
    assert.match(await chart.callTool('search', { query: 'stroke' }), /\nNothing found for/);
  });

  it('keeps the two epicondyles apart, and puts an allergy before the rhinitis and a test before those of its word', async () => {
    const chart = await createChart(store.db);
    await chart.add(
      entry('condition', 'Medial epicondylitis', { dayText: '2020-01-01' }),
      entry('condition', 'Perennial allergic rhinitis', { dayText: '2004-03-19', current: true }),
      entry('allergy', 'Allergy to grass pollen', { dayText: '2002-08-03', current: true }),
      state('lab', 'Hemoglobin A1c/Hemoglobin.total in Blood', '6', '2022-01-01'),
      state('lab', 'Hemoglobin [Mass/volume] in Blood', '14', '2020-01-01'),
      entry('procedure', 'Colonic polypectomy', { dayText: '2020-01-01' }),
      entry('immunization', 'Influenza, live, intranasal', { dayText: '2020-01-01' }),
    );
    for (const [query, expected] of [
      ["golfer's elbow", /\| Medial epicondylitis/],
      ['tennis elbow', /\nNothing found for/],
      ['epicondylitis', /\| Medial epicondylitis/],
      ['alergia al polen', /grass pollen[\s\S]*rhinitis/],
      ['last hemoglobin', /Hemoglobin \[Mass[^\n]*\n[^\n]*Hemoglobin A1c/],
      ['polyps', /Colonic polypectomy/],
      ['living will', /\nNothing found for/],
    ] as const)
      assert.match(await chart.callTool('search', { query }), expected, query);
  });
});
