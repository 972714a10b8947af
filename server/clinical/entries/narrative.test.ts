import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { buildPassages } from '../search/passages.ts';
import { classifyResource } from '../labels/classify-resource.ts';
import { buildEntries } from './build-entries.ts';

const NOTHING = { resolve: () => null };
const narrative = (status: string, inner: string) => ({
  text: { status, div: `<div xmlns="http://www.w3.org/1999/xhtml">${inner}</div>` },
});
const build = (resourceType: string, more: object) => buildEntries({ resourceType, ...more }, NOTHING);
const titles = (resourceType: string, more: object) => build(resourceType, more).map(({ title }) => title);

describe('a narrative', () => {
  it('names what no element names, whatever its status', () => {
    for (const status of ['additional', 'generated', 'extensions']) {
      const words = narrative(status, '<p>Allergic to iodine contrast</p>');
      for (const type of [
        'AllergyIntolerance',
        'Condition',
        'Procedure',
        'Immunization',
        'MedicationStatement',
        'Flag',
      ])
        assert.deepEqual(titles(type, words), ['Allergic to iodine contrast'], `${type}, ${status}`);
      assert.deepEqual(
        titles('Observation', { ...words, category: [{ coding: [{ code: 'laboratory' }] }] }),
        ['Allergic to iodine contrast'],
      );
    }
    assert.deepEqual(titles('Condition', narrative('empty', 'No text was written')), [
      'Condition without a name',
    ]);
    assert.deepEqual(titles('Condition', narrative('generated', '<p>–</p>')), ['Condition without a name']);
  });

  it('names nothing that has a name, and no heading of a generator is one', () => {
    const code = { code: { text: 'Asthma' } };
    assert.deepEqual(titles('Condition', { ...code, ...narrative('generated', 'Asthma bronchiale') }), [
      'Asthma',
    ]);
    const generated = '<p><b>Generated Narrative with Details</b></p><p>id: x1</p><p>Bee venom</p>';
    assert.deepEqual(titles('AllergyIntolerance', narrative('generated', generated)), ['Bee venom']);
  });

  it('states that there is nothing, where it says so', () => {
    const [entry] = build('AllergyIntolerance', narrative('additional', 'No known allergies'));
    assert.equal(entry?.kind === 'allergy' && entry.detail.none, true);
  });

  it('is a remark where it may say more than the elements, and the whole of it where it gives the name', () => {
    const more = 'Severe bleeding disorder<br/>after the birth';
    const note = (additional: object) => {
      const [entry] = build('Condition', { note: [{ text: 'seen' }], ...additional });
      return entry?.kind === 'condition' ? entry.detail.note : undefined;
    };
    const code = { code: { text: 'Asthma' } };
    assert.equal(
      note({ ...code, ...narrative('additional', more) }),
      'seen\nSevere bleeding disorder\nafter the birth',
    );
    assert.equal(note({ ...code, ...narrative('generated', more) }), 'seen');
    assert.equal(note(narrative('generated', more)), 'seen\nSevere bleeding disorder\nafter the birth');
    const long = `Severe bleeding ${'and so on '.repeat(20)}`.trim();
    const [entry] = build('Condition', narrative('additional', long));
    assert.ok((entry?.title.length ?? 0) < 125);
    assert.equal(entry?.kind === 'condition' && entry.detail.note, long);
  });

  it('is found by search, of visits and plans too', () => {
    for (const type of [
      'AllergyIntolerance',
      'Encounter',
      'CarePlan',
      'Goal',
      'Observation',
      'Immunization',
    ]) {
      const named = { code: { text: 'x' }, type: [{ text: 'x' }], title: 'x', description: { text: 'x' } };
      const passages = build(type, { ...named, ...narrative('additional', 'iodine contrast') }).flatMap(
        buildPassages,
      );
      assert.ok(
        passages.some(({ title, body }) => `${title} ${body}`.includes('iodine contrast')),
        type,
      );
    }
  });

  it('is a note, of documents and reports', () => {
    const texts = (type: string, more: object) =>
      build(type, more).map((entry) => (entry.kind === 'note' ? entry.detail.text : entry.kind));
    const words = narrative('additional', 'Lungs are clear');
    const data = Buffer.from('A letter').toString('base64');
    const content = [{ attachment: { contentType: 'text/plain', data } }];
    assert.deepEqual(texts('DocumentReference', words), ['Lungs are clear']);
    assert.deepEqual(texts('DocumentReference', { ...words, content }), ['A letter', 'Lungs are clear']);
    assert.deepEqual(texts('DocumentReference', { ...narrative('generated', 'A letter of x'), content }), [
      'A letter',
    ]);
    assert.deepEqual(texts('DiagnosticReport', { ...words, conclusion: 'Well' }), ['Well\nLungs are clear']);
    const section = { section: [{ title: 'Plan', text: { div: '<div>Rest</div>' } }] };
    assert.deepEqual(texts('Composition', { ...words, ...section }), ['Rest', 'Lungs are clear']);
  });

  it('is searched for protected classes', () => {
    const { classes } = classifyResource({
      resourceType: 'AllergyIntolerance',
      ...narrative('additional', 'Rash on <b>HIV</b> treatment'),
    });
    assert.deepEqual(classes, ['HIV_OR_STI']);
  });
});
