import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { renderAnswer } from './answer-text.ts';
import { buildFactTable, type Fact } from './markdown.ts';

const row = (cells: string[], id: number, organization = 'Riverside Clinic'): Fact => ({
  cells,
  entries: [{ reference: `Encounter/${id}`, organization, documentPath: 'record.json' }],
});

describe('an answer', () => {
  it('says once what most rows of a column say, and marks what is not recorded', () => {
    const classes = ['ambulatory', 'ambulatory', 'ambulatory', 'emergency', '', 'ambulatory'];
    const text = renderAnswer(
      buildFactTable(
        ['Date', 'Class'],
        classes.map((name, index) => row([`2024-01-0${index + 1}`, name], index)),
      ),
    );
    assert.match(text, /\| 2024-01-01 \|  \| Encounter\/0 \|/);
    assert.match(text, /\| 2024-01-04 \| emergency \| Encounter\/3 \|/);
    assert.match(text, /\| 2024-01-05 \| – \| Encounter\/4 \|/);
    assert.match(text, /^Class where blank: ambulatory$/m);
  });

  it('leaves out a column that says the same in all rows', () => {
    const rows = [1, 2, 3, 4].map((day) => row([`2024-01-0${day}`, 'resolved'], day));
    const text = renderAnswer(buildFactTable(['Date', 'Status'], rows));
    assert.match(text, /^\| Date \| Reference \|$/m);
    assert.match(text, /^Status: resolved$/m);
  });

  it('never leaves out a measurement, however often it repeats', () => {
    const rows = [1, 2, 3, 4].map((day) => row([`2024-01-0${day}`, '128/82'], day));
    assert.equal(renderAnswer(buildFactTable(['Date', 'Blood Pressure'], rows)).match(/128\/82/g)?.length, 4);
  });

  it('has marks for people that it names again and again', () => {
    const people = ['Dr. Olive Pollich', 'Dr. Aria Moss', 'Dr. Olive Pollich', 'Dr. Olive Pollich', 'Dr. X'];
    const text = renderAnswer(
      buildFactTable(
        ['Date', 'Seen by'],
        [...people, 'Dr. Y', 'Dr. Z'].map((name, index) => row([`2024-01-0${index + 1}`, name], index)),
      ),
    );
    assert.match(text, /\| 2024-01-01 \| a \|/);
    assert.match(text, /\| 2024-01-02 \| Dr\. Aria Moss \|/);
    assert.match(text, /^By, seen by, place: a = Dr\. Olive Pollich$/m);
  });

  it('names a source once for all, once for a table, or by a mark', () => {
    const one = buildFactTable(['Date'], [row(['2024'], 1), row(['2023'], 2)]);
    const other = buildFactTable(['Date'], [row(['2022'], 3, 'City Hospital')]);
    const mixed = buildFactTable(['Date'], [row(['2021'], 4), row(['2020'], 5, 'City Hospital')]);
    assert.match(renderAnswer([one]), /\n\nSource: Riverside Clinic$/);
    assert.match(renderAnswer([one, other]), /Source: Riverside Clinic\n\n[^]*Source: City Hospital$/);
    assert.match(
      renderAnswer([one, mixed]),
      /\| 2021 \| A \| Encounter\/4 \|\n\| 2020 \| B \|[^]*Sources: A = Riverside Clinic; B = City Hospital$/,
    );
  });
});
