import assert from 'node:assert/strict';
import { it } from 'node:test';
import { scaleBand } from '@visx/scale';
import { chooseLabels } from './choose-labels.ts';

const MARGIN = { left: 48, right: 8 };

const place = (names: string[], width: number) =>
  scaleBand({ domain: names, range: [MARGIN.left, width - MARGIN.right], padding: 0.25 });

it('an axis shows as many names as stand beside each other, each whole, however narrow it is and however long they are', () => {
  for (const letters of [2, 6, 12])
    for (const count of [1, 3, 24, 90])
      for (const width of [240, 600, 1100]) {
        const names = Array.from({ length: count }, (_, index) => String(index).padStart(letters, '·'));
        const x = place(names, width);
        const spans = chooseLabels(x, width).map((name) => {
          const center = (x(name) ?? 0) + x.bandwidth() / 2;
          return [center - letters * 3.5, center + letters * 3.5] as const;
        });
        const where = `${letters} letters, ${count} names, ${width} pixels`;
        assert.ok(spans.length > 0, where);
        for (const [index, [start, end]] of spans.entries()) {
          assert.ok(start >= 0 && end <= width, where);
          assert.ok(start > (spans[index - 1]?.[1] ?? -1), where);
        }
      }
});
