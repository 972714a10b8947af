import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createChart, entry, type Chart } from '../../../test/harness/chart.ts';
import { openTestStore } from '../../../test/harness/store.ts';

const store = await openTestStore();
after(() => store.remove());

const TITLES = [
  'Laceration of wrist',
  'Laceration of scalp',
  'Laceration of toe',
  'Laceration of foot',
  'Fracture of foot',
  'Burn of foot',
  'Burn of hand',
  'Wound of foot',
  'Head wound',
  'Contusion of hand',
  'Fracture of toe',
  'Burn of tongue',
  'Laceration of lip',
  'Ulcer of lip',
  'Eye burn',
];

const ASKED: readonly (readonly [title: string, queries: readonly string[]])[] = [
  [
    'Laceration of wrist',
    [
      'wrist laceration',
      'laceration of the wrist',
      'cut wrist',
      'cut on her wrist',
      'cut her wrists',
      'did I cut my wrist',
      'when did I cut my wrist',
      '¿me llegué a cortar la muñeca?',
      'cortada en la muñeca',
    ],
  ],
  ['Laceration of scalp', ['scalp laceration', 'cut on the head', 'Schnittwunde am Kopf']],
  ['Laceration of toe', ['toe laceration']],
  ['Laceration of foot', ['foot laceration', 'did she cut her foot', 'cut on foot', 'cut foot']],
  [
    'Fracture of foot',
    [
      'foot fracture',
      'broken foot',
      'fractura del pie',
      'did I break my foot',
      'when did I break my foot',
      'foot break',
      'romperse el pie',
      'den Fuß brechen',
    ],
  ],
  ['Burn of foot', ['foot burn', 'burned his foot']],
  ['Burn of hand', ['hand burn']],
  ['Wound of foot', ['foot wound', 'herida en el pie', 'Wunde am Fuß']],
  ['Head wound', ['wound on head']],
  ['Contusion of hand', ['hand bruise']],
  ['Fracture of toe', ['toe fracture', 'broken toe', 'broken on her toe']],
  ['Burn of tongue', ['tongue burn']],
  ['Laceration of lip', ['cut lip', 'lip laceration']],
  ['Ulcer of lip', ['lip ulcer']],
  ['Eye burn', ['eye burn']],
];

describe('search for an injury of a part of the body', () => {
  let chart: Chart;
  before(async () => {
    chart = await createChart(store.db);
    await chart.add(...TITLES.map((title) => entry('condition', title, { dayText: '2015-01-01' })));
  });

  for (const [title, queries] of ASKED)
    it(`finds “${title}”, whatever figure of speech its words are part of`, async () => {
      for (const query of queries) {
        const text = await chart.callTool('search', { query });
        assert.match(text, new RegExp(`^\\| (?:Condition \\| )?${title} \\|`, 'm'), `${query}\n${text}`);
      }
    });

  it('answers it with nothing else that its words may be part of', async () => {
    const other = await createChart(store.db);
    await other.add(
      ...['Suicide attempt', 'Gangrene of foot', 'Brain tumor', 'Onychomycosis', 'Peripheral neuropathy'].map(
        (title) => entry('condition', title, { dayText: '2015-01-01' }),
      ),
    );
    for (const query of [
      'wrist laceration',
      'cut on her wrist',
      'cut on foot',
      'cut on the head',
      'broken toe',
      'foot burn',
    ])
      assert.doesNotMatch(
        await other.callTool('search', { query }),
        /Suicide|Brain tumor|Onycho|neuropathy/,
        query,
      );
    assert.match(await other.callTool('search', { query: 'cut her wrists' }), /Suicide attempt/);
    assert.match(await other.callTool('search', { query: 'her feet burn' }), /Peripheral neuropathy/);
  });

  it('says where the part that is asked for is not that of the injury', async () => {
    const other = await createChart(store.db);
    await other.add(entry('condition', 'Laceration of wrist', { dayText: '2015-01-01' }));
    for (const [query, part] of [
      ['cut on the head', 'head'],
      ['lacerations of the foot', 'foot'],
      ['laceration of foot', 'foot'],
    ] as const) {
      const text = await other.callTool('search', { query });
      assert.match(text, new RegExp(`Without a result: “${part}”|Nothing found`), text);
    }
  });

  it('says where what is found is of the other side', async () => {
    const other = await createChart(store.db);
    const note = (text: string) => entry('note', text, { dayText: '2024-01-01', detail: { text } });
    await other.add(note('MRI of the left shoulder reveals a tear.'));
    const ask = (query: string) => other.callTool('search', { query });
    assert.match(
      await ask('MRI of the right shoulder'),
      /No result names the right side, which is asked for; what names the left side is not of it/,
    );
    for (const query of ['MRI of the left shoulder', 'MRI of the shoulder', 'shoulder MRI right now'])
      assert.doesNotMatch(await ask(query), /which is asked for/, query);
    await other.add(note('MRI of the right shoulder is normal.'));
    assert.match(
      await ask('MRI of the right shoulder'),
      /What names the left side alone is not of the right side, which is asked for/,
    );
  });
});
