import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { fitsOneAnswer } from '../../server/surfaces/mcp/render/fit-length.ts';
import { createChart, type Chart } from '../harness/chart.ts';
import { importTexts } from '../harness/import-texts.ts';
import { openTestStore } from '../harness/store.ts';

const store = await openTestStore();
after(() => store.remove());

type Resource = Record<string, unknown>;

const subject = { reference: 'Patient/p' };
const END = 'FINAL DIAGNOSIS: invasive adenocarcinoma.';

/** Numbered sentences, so that a gap or a repetition shows; ends with what must not be missed. */
function write(length: number, mark = ''): string {
  let text = '';
  for (let number = 1; text.length < length - END.length - 60; number++)
    text += `Level ${number} of ${mark}the specimen shows benign tissue. `;
  return text + END;
}

const LABORATORY = [{ coding: [{ code: 'laboratory' }] }];
const observe = (id: string, rest: Resource): Resource => ({
  resourceType: 'Observation',
  id,
  subject,
  status: 'final',
  category: LABORATORY,
  effectiveDateTime: '2026-05-05',
  ...rest,
});
const attach = (text: string, title: string): Resource => ({
  attachment: { contentType: 'text/plain', title, data: Buffer.from(text).toString('base64') },
});
const writeDocument = (id: string, content: readonly Resource[]): Resource => ({
  resourceType: 'DocumentReference',
  id,
  subject,
  status: 'current',
  type: { text: `Letter ${id}` },
  date: '2026-02-01T00:00:00Z',
  content,
});

const LONG = write(6271);
const VERY_LONG = write(95_000, '👩‍⚕️ ');
const SEVERAL = Array.from({ length: 20 }, (_, index) => `many-${index}`);

const RECORD: readonly Resource[] = [
  observe('pathology', { code: { text: 'Pathology report' }, valueString: LONG }),
  observe('noted', { code: { text: 'Cytology' }, valueString: 'See note', note: [{ text: LONG }] }),
  observe('longest', { code: { text: 'Autopsy' }, valueString: VERY_LONG, note: [{ text: write(2000) }] }),
  ...SEVERAL.map((id) => observe(id, { code: { text: id }, valueString: write(3000, `${id} `) })),
  {
    resourceType: 'DiagnosticReport',
    id: 'report',
    subject,
    status: 'final',
    code: { text: 'Biopsy' },
    effectiveDateTime: '2026-05-06',
    conclusion: write(30_000),
    conclusionCode: [{ text: 'Carcinoma' }],
  },
  {
    resourceType: 'Procedure',
    id: 'procedure',
    subject,
    status: 'completed',
    code: { text: 'Colonoscopy' },
    performedDateTime: '2026-05-05',
    note: [{ text: LONG }],
  },
  {
    resourceType: 'ClinicalImpression',
    id: 'impression',
    subject,
    status: 'completed',
    date: '2026-05-05',
    summary: LONG,
  },
  {
    resourceType: 'Communication',
    id: 'message',
    subject,
    status: 'completed',
    sent: '2026-05-05T10:00:00Z',
    payload: [{ contentString: LONG }],
  },
  {
    resourceType: 'CarePlan',
    id: 'plan',
    subject,
    status: 'active',
    intent: 'plan',
    title: 'Oncology',
    description: LONG,
  },
  {
    resourceType: 'QuestionnaireResponse',
    id: 'answers',
    status: 'completed',
    authored: '2026-05-05',
    item: Array.from({ length: 700 }, (_, index) => ({
      linkId: `q${index}`,
      text: `Question number ${index + 1} of the form, with its words`,
      answer: [{ valueString: index === 699 ? LONG : `Answer number ${index + 1} as it was given` }],
    })),
  },
  observe('endless', { code: { text: 'Endless' }, valueString: write(500_000) }),
  writeDocument('letter', [attach(VERY_LONG, 'whole')]),
  writeDocument('two', [attach(`First part. ${LONG}`, 'one'), attach(`Second part. ${LONG}`, 'other')]),
  ...Array.from({ length: 340 }, (_, index) => ({
    resourceType: 'MedicationRequest',
    id: `order-${index + 1}`,
    subject,
    status: 'completed',
    intent: 'order',
    medicationCodeableConcept: { text: 'Morphine' },
    authoredOn: `20${String(10 + (index % 15))}-01-01`,
    dosageInstruction: [
      { text: `Ten milligrams as the plan of day ${index} has it, with water. `.repeat(3) },
    ],
  })),
];

describe('a long text of a record', () => {
  let chart: Chart;
  before(async () => {
    chart = await createChart(store.db);
    await importTexts(
      store.db,
      chart,
      RECORD.map((each) => JSON.stringify(each)),
    );
  });
  const details = async (...references: string[]): Promise<string> => {
    const text = await chart.callTool('get_details', { references });
    assert.ok(fitsOneAnswer(text), `${references.join()}: ${text.length}`);
    return text;
  };
  /** Goes on as each answer says, to the end. */
  const readOn = async (first: string, limit = 20): Promise<string[]> => {
    const answers: string[] = [];
    for (let next: string | undefined = first; next !== undefined;) {
      assert.ok(answers.length < limit, 'it ends');
      const text = await details(next);
      answers.push(text);
      next = /ask for `([^`]+)`/.exec(text)?.[1];
    }
    return answers;
  };
  const search = (query: string) => chart.callTool('search', { query });

  for (const reference of [
    'Observation/pathology',
    'Observation/noted',
    'DiagnosticReport/report',
    'Procedure/procedure',
    'ClinicalImpression/impression',
    'Communication/message',
    'CarePlan/plan',
  ])
    it(`is shown to its end by get_details of ${reference} alone`, async () => {
      const text = await details(reference);
      assert.ok(text.includes(END), text.slice(-500));
      assert.doesNotMatch(text, /further characters/);
      assert.equal(text.split(END).length, 2, 'once');
    });

  it('is cut in a row with the number of characters that follow, and the tool that reads them', async () => {
    const shown = LONG.slice(0, 600).trimEnd();
    const rest = `${shown}… (${(LONG.length - 600).toLocaleString('en')} further characters: get_details)`;
    for (const [tool, input] of [
      ['get_labs', {}],
      ['get_labs', { tests: ['Pathology report'] }],
      ['get_labs', { tests: ['Cytology'] }],
      ['get_procedures', {}],
      ['get_other_records', { kind: 'other' }],
      ['get_other_records', { kind: 'care_plan' }],
    ] as const)
      assert.ok((await chart.callTool(tool, input)).includes(rest), `${tool} ${JSON.stringify(input)}`);
  });

  it('is read to its end from where an answer cut it, without gap or repetition', async () => {
    const answers = await readOn('Observation/longest');
    assert.match(answers[0] ?? '', /\([\d,]+ further characters: ask for `Observation\/longest from \d+`\)/);
    const parts = answers.map((text) => /^- value: (?:… )?(.*?)(?:… \([\d,]+ further .*)?$/m.exec(text)?.[1]);
    const read = parts.join('').replaceAll('\\u{200D}', '\u200D').replaceAll(/\s/g, '');
    assert.equal(read, VERY_LONG.replaceAll(/\s/g, ''));
    assert.match(answers[1] ?? '', /^- 6 fields of no more than [\d,]+ characters left out$/m);
  });

  it('is read to its end where it is a note', async () => {
    const answers = await readOn('DocumentReference/letter');
    const parts = answers.map((text) => /^```text\n([^]*?)\n```$/m.exec(text)?.[1]);
    assert.equal(
      parts.join('').replaceAll('\\u{200D}', '\u200D').replaceAll(/\s/g, ''),
      VERY_LONG.replaceAll(/\s/g, ''),
    );
  });

  it('is shorter beside others, and each says how it is read on', async () => {
    const text = await details(...SEVERAL.map((id) => `Observation/${id}`));
    for (const id of SEVERAL)
      assert.match(text, new RegExp(`further characters: ask for \`Observation/${id} from 1500\``));
    const rest = await details('Observation/many-7 from 1500');
    assert.ok(rest.includes(END));
    assert.doesNotMatch(rest, /Level 1 of/);
  });

  it('is read where it is longer than several resources may be together', async () => {
    assert.match(await details('Observation/endless from 480000'), /… .*invasive adenocarcinoma\.$/m);
    assert.match(
      await details('Observation/endless', 'Observation/noted'),
      /Its fields are too long to be shown beside others; asked for alone/,
    );
  });

  it('says that nothing is as long as the place from which it is asked for', async () => {
    const text = await details('Observation/pathology from 40000');
    assert.match(text, /^- \d fields of no more than 40,000 characters left out$/m);
    assert.doesNotMatch(text, /Level/);
  });

  it('is read to its end in every attachment of a document', async () => {
    const text = await details('DocumentReference/two');
    assert.match(text, /First part\.[^]*invasive adenocarcinoma[^]*Second part\.[^]*invasive adenocarcinoma/);
  });

  it('is read to its end in a form of 700 answers, field by field', async () => {
    const answers = await readOn('QuestionnaireResponse/answers');
    assert.ok(answers.length > 1);
    const all = answers.join('\n');
    for (let number = 1; number < 700; number++)
      assert.equal(all.split(`Answer number ${number} as`).length, 2, String(number));
    assert.ok(all.includes(END));
  });

  it('is read to its end in a group of 340 orders, entry by entry', async () => {
    const answers = await readOn('MedicationRequest/order-1 (340)');
    assert.match(answers[0] ?? '', /^Of 340 of this group 1 to \d+ \(ask for/m);
    const all = answers.join('\n');
    const listed = new Set(
      all
        .split('\n')
        .flatMap((line) => (line.startsWith('|') ? (line.match(/MedicationRequest\/order-\d+/g) ?? []) : [])),
    );
    assert.equal(listed.size, 340);
  });

  it('is found by its last words, and shown around them', async () => {
    const text = await search('adenocarcinoma');
    for (const title of ['Pathology report', 'Cytology']) {
      const row = text.split('\n').find((line) => line.includes(`| ${title} |`)) ?? '';
      assert.match(row, /invasive adenocarcinoma/, text);
    }
  });
});
