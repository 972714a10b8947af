import { after, describe, it } from 'node:test';
import { startTestService } from '../harness/service.ts';
import { lab, openProbe, type Resource } from './probe.ts';

const service = await startTestService({ environment: { CHARTGATE_MCP_RATE_LIMIT: '100000' } });

const issue: Resource = {
  resourceType: 'DetectedIssue',
  id: 'd',
  status: 'final',
  severity: 'high',
  code: { text: 'Drug interaction' },
  detail: 'Warfarin with ibuprofen',
};

const letter = (id: string, words: string): Resource => ({
  resourceType: 'DocumentReference',
  id,
  status: 'current',
  type: { text: 'Letter' },
  date: '2024-01-01',
  content: [{ attachment: { contentType: 'text/plain', data: Buffer.from(words).toString('base64') } }],
});

describe('what search finds of unusual words', () => {
  after(() => service.stop());

  it('is written in British or American spelling', async () => {
    const ask = await openProbe(
      service,
      lab('h', 'Potassium', {
        valueQuantity: { value: '5', unit: 'mmol/L' },
        note: [{ text: 'Sample slightly haemolysed' }],
      }),
      letter('b', 'The wound was catheterised and colour returned.'),
      letter('a', 'The duct was catheterized, with better color.'),
    );
    for (const query of ['hemolysed', 'hemolyzed', 'haemolysed'])
      (await ask('search', { query })).says('Potassium');
    for (const query of ['catheterised', 'catheterized', 'colour', 'color']) {
      const notes = await ask('search_clinical_notes', { query, years: 150 });
      notes.says('DocumentReference/a');
      notes.says('DocumentReference/b');
      (await ask('search', { query })).saysNot('contains');
    }
    (await ask('search_clinical_notes', { query: 'returned -color', years: 150 })).saysNot(
      'DocumentReference/b',
    );
  });

  it('is no ambulance where it is a number', async () => {
    const ask = await openProbe(service, lab('g', 'Glucose', { valueString: 'above 999' }));
    const answer = await ask('search', { query: '999' });
    answer.saysNot('ambulance');
    answer.says('Glucose', 'above 999');
    (await ask('search', { query: 'called 999' })).says('ambulance transport');
  });

  it('is what a detected issue says', async () => {
    const ask = await openProbe(service, issue);
    (await ask('search', { query: 'warfarin ibuprofen' })).says('Drug interaction', 'Severity: high');
    (await ask('get_other_records', { kind: 'other', years: 150 })).says(
      'Severity: high',
      'Warfarin with ibuprofen',
    );
  });
});
