import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MAX_RESULT_LENGTH } from './fit-length.ts';
import { fitToBudget } from './fit-to-budget.ts';
import type { Page, PageSelection } from './page.ts';

interface Row {
  id: number;
  day: string | null;
  size: number;
}

/** Renders each row with the length that it names. */
const render = ({ alwaysShown, dated, undated }: PageSelection<Row>): string =>
  [...alwaysShown, ...dated, ...undated].map(({ id, size }) => `${id}`.padEnd(size, ' wording')).join('\n');

const rows = (day: string | null, count: number, size: number, first = 0): Row[] =>
  Array.from({ length: count }, (_, index) => ({ id: first + index, day, size }));

const page = (given: Partial<Page<Row>>): Page<Row> => ({
  alwaysShown: [],
  dated: [],
  undated: [],
  olderDay: null,
  ...given,
});

describe('fitting a page to one answer', () => {
  it('selects everything when everything fits', () => {
    const all = page({
      alwaysShown: rows('2000-01-01', 2, 9),
      dated: rows('2020-01-01', 3, 9),
      undated: rows(null, 2, 9),
    });
    const shown = fitToBudget(all, render);
    assert.deepEqual([shown.alwaysShown.length, shown.dated.length, shown.undated.length], [2, 3, 2]);
    assert.deepEqual([shown.nextBeforeDate, shown.omitted], [null, []]);
  });

  it('continues at the day after the newest older day', () => {
    assert.equal(fitToBudget(page({ olderDay: '2015-12-31' }), render).nextBeforeDate, '2016-01-01');
  });

  it('leaves undated rows to the window without an older neighbour', () => {
    const shown = fitToBudget(
      page({ dated: rows('2020-01-01', 1, 9), undated: rows(null, 2, 9), olderDay: '2010-01-01' }),
      render,
    );
    assert.equal(shown.undated.length, 0);
  });

  it('cuts at the border of a day, as late as possible', () => {
    const dated = [
      ...rows('2020-01-03', 20, 999),
      ...rows('2020-01-02', 20, 999),
      ...rows('2019-05-05', 20, 999),
    ];
    const shown = fitToBudget(page({ dated, olderDay: '2001-01-01' }), render);
    assert.equal(shown.dated.length, 40);
    assert.equal(shown.nextBeforeDate, '2019-05-06');
    assert.equal(render(shown).length, 40 * 1000 - 1);
  });

  it('omits rows of a day that is too long, and returns them', () => {
    const shown = fitToBudget(page({ dated: rows('2020-01-03', 100, 999), olderDay: '2001-01-01' }), render);
    assert.equal(shown.dated.length, 44);
    assert.equal(shown.omitted.length, 56);
    assert.equal(shown.nextBeforeDate, '2001-01-02');
  });

  it('shows a day even beside more always-shown rows than fit', () => {
    const shown = fitToBudget(
      page({ alwaysShown: rows('1990-01-01', 100, 999), dated: rows('2020-01-03', 2, 999) }),
      render,
    );
    assert.deepEqual([shown.alwaysShown.length, shown.dated.length, shown.omitted.length], [22, 2, 78]);
  });

  it('keeps what weighs most where what is always shown does not fit', () => {
    const all = page({
      alwaysShown: rows(null, 100, 999),
      byWeight: (one, other) => (other.id % 10) - (one.id % 10),
    });
    const shown = fitToBudget(all, render);
    assert.deepEqual(
      shown.alwaysShown.map(({ id }) => id % 10),
      [9, 8, 7, 6].flatMap((digit) => Array.from({ length: 10 }, () => digit)).concat(5, 5, 5, 5),
    );
    assert.equal(shown.alwaysShown.length + shown.omitted.length, 100);
  });

  it('moves undated rows into a window of their own when they do not fit', () => {
    const first = fitToBudget(
      page({ dated: rows('2020-01-03', 40, 999), undated: rows(null, 40, 999) }),
      render,
    );
    assert.deepEqual([first.dated.length, first.undated.length, first.nextBeforeDate], [40, 0, '2020-01-03']);
    const second = fitToBudget(page({ undated: rows(null, 40, 999) }), render);
    assert.deepEqual([second.undated.length, second.nextBeforeDate], [40, null]);
  });

  it('never exceeds the limit', () => {
    for (let seed = 1; seed < 60; seed++) {
      const days = Array.from(
        { length: seed * 3 },
        (_, index) => `20${String(99 - (index % 90)).padStart(2, '0')}-01-01`,
      )
        .sort()
        .reverse();
      const dated = days.flatMap((day, index) =>
        rows(day, (index * seed) % 7, (seed * 97) % 1500, index * 10),
      );
      const shown = fitToBudget(page({ dated }), render);
      assert.ok(render(shown).length <= MAX_RESULT_LENGTH);
      assert.ok(dated.length === 0 || shown.dated.length > 0);
    }
  });
});
