import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { Counter, Registry } from 'prom-client';
import { createChart, entry, type Chart } from '../../../../test/harness/chart.ts';
import { embedText } from '../../../../test/harness/fake-embeddings.ts';
import { ENGINES, openTestStore } from '../../../../test/harness/store.ts';
import { labelBit, toRequiredMask } from '../../../consent/access/sensitivity-labels.ts';
import { sql } from '../../../platform/db/sql.ts';
import { Reschedule } from '../../../platform/jobs/job-kind.ts';
import { search } from '../../../surfaces/mcp/tools/search.ts';
import { createEmbedAllJob, createEmbedJob, EMBED_JOB } from './embed-jobs.ts';
import { EmbeddingsFault, type Embedder, type Vector } from './embedder.ts';

const toVector = (text: string, model = 'letters'): Vector => {
  const values = embedText(text);
  const length = Math.hypot(...values);
  return { model, values: values.map((value) => value / length) };
};

/** An embedder that answers so many requests, and fails then. */
function createFakeEmbedder(model = 'letters', maxRequests = Infinity): Embedder & { batches: number[] } {
  const batches: number[] = [];
  return {
    model,
    batches,
    async embed(texts) {
      if (batches.length >= maxRequests) throw new EmbeddingsFault('status 503');
      batches.push(texts.length);
      return texts.map((text) => toVector(text, model));
    },
  };
}

const createFailures = () =>
  new Counter({ name: 'failures', help: 'x', labelNames: ['purpose'], registers: [new Registry()] });

for (const engine of ENGINES) {
  const store = await openTestStore(engine);
  describe(`search by vectors on ${engine}`, () => {
    after(() => store.remove());
    const { db } = store;

    const embed = (chart: Chart, embedder: Embedder): Promise<void> =>
      createEmbedJob({ db, embedder, failures: createFailures() }).run(
        { patientId: chart.patientId },
        new AbortController().signal,
      );
    const countByModel = async ({ patientId }: Chart): Promise<Record<string, number>> => {
      const rows = await db.query(sql<{ model: string | null; passages: number }>`
        select embedding_model as model, count(*)::integer as passages from passage
        where patient_id = ${patientId} group by 1 order by 1`);
      return Object.fromEntries(rows.map(({ model, passages }) => [model ?? 'none', passages]));
    };
    const ask = async (chart: Chart, query: string, vector: Vector | null): Promise<string[]> => {
      const deps = { ...chart.deps, embedQuestion: async () => vector };
      const { text } = await search.run(deps, chart.access, { query });
      return [...text.matchAll(/\| ([A-Z][A-Za-z]+\/\w+) \|$/gm)].map(([, reference]) => reference ?? '');
    };

    const QUERY = 'gout mornings of goutish kind';
    const addGout = (chart: Chart) =>
      chart.add(
        entry('condition', 'Gout', { dayText: '2020-01-01' }),
        entry('note', 'Letter', {
          dayText: '2020-01-02',
          detail: { text: 'Goutish mornings, goutish evenings' },
        }),
        entry('note', 'Letter', {
          dayText: '2020-01-03',
          detail: { text: 'Morning goutish, evening goutish' },
          requires: toRequiredMask('CLINICAL_NOTES', ['HIV_OR_STI']),
        }),
        entry('condition', 'Asthma', { dayText: '2020-01-01' }),
      );

    it('finds beside what is meant what a model finds as near, and never without it', async () => {
      const chart = await createChart(db);
      await addGout(chart);
      await embed(chart, createFakeEmbedder());
      assert.deepEqual(await countByModel(chart), { letters: 4 });
      const [without, beside] = [await ask(chart, 'gout', null), await ask(chart, 'gout', toVector(QUERY))];
      assert.deepEqual(without, ['Condition/1']);
      assert.deepEqual(beside.toSorted(), ['Condition/1', 'DocumentReference/2', 'DocumentReference/3']);
      assert.equal(beside[0], 'Condition/1');
      assert.deepEqual(await ask(chart, 'malaria', toVector(QUERY)), []);
    });

    it('finds no neighbour that the consent leaves out', async () => {
      const chart = await createChart(db);
      await addGout(chart);
      await embed(chart, createFakeEmbedder());
      await db.query(
        sql`update consent set withheld = ${labelBit('HIV_OR_STI')} where patient_id = ${chart.patientId}`,
      );
      assert.deepEqual((await ask(chart, 'gout', toVector(QUERY))).toSorted(), [
        'Condition/1',
        'DocumentReference/2',
      ]);
    });

    it('compares no vectors of another model or length, and makes those anew', async () => {
      const chart = await createChart(db);
      await addGout(chart);
      await embed(chart, createFakeEmbedder('other'));
      const { values } = toVector(QUERY);
      for (const vector of [toVector(QUERY), { model: 'other', values: values.slice(1) }])
        assert.deepEqual(await ask(chart, 'gout', vector), ['Condition/1']);
      await embed(chart, createFakeEmbedder());
      assert.deepEqual(await countByModel(chart), { letters: 4 });
    });

    it('goes on where a failing endpoint ended it', async () => {
      const chart = await createChart(db);
      await chart.add(...Array.from({ length: 70 }, (_, index) => entry('condition', `Illness ${index}`)));
      const failing = createFakeEmbedder('letters', 1);
      await assert.rejects(
        embed(chart, failing),
        (error) => error instanceof Reschedule && error.ms === 60_000,
      );
      assert.deepEqual(await countByModel(chart), { letters: 32, none: 38 });
      const rest = createFakeEmbedder();
      await embed(chart, rest);
      assert.deepEqual(rest.batches, [32, 6]);
    });

    it('is made up for each hour where records lack vectors', async () => {
      const enqueued: string[] = [];
      const jobs = {
        enqueue: async (_tx: unknown, { kind, uniqueKey }: { kind: string; uniqueKey: string }) =>
          void enqueued.push(`${kind} ${uniqueKey}`),
        wake: () => {},
      };
      const [ready, lacking] = [await createChart(db), await createChart(db)];
      for (const chart of [ready, lacking]) {
        await db.query(
          sql`insert into record_head (patient_id, next_seq, total) values (${chart.patientId}, 1, 0)`,
        );
        await chart.add(entry('condition', 'Gout'));
      }
      await embed(ready, createFakeEmbedder());
      const job = createEmbedAllJob({ db, jobs, embedder: createFakeEmbedder() });
      await assert.rejects(job.run({}, new AbortController().signal), Reschedule);
      assert.deepEqual(enqueued, [`${EMBED_JOB} ${lacking.patientId}`]);
    });
  });
}
