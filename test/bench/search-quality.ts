import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { EmbedQuestion } from '../../server/clinical/search/embeddings/embed-question.ts';
import { createEmbedder } from '../../server/clinical/search/embeddings/embedder.ts';
import { openDb } from '../../server/platform/db/open.ts';
import { createOutboundClient } from '../../server/platform/outbound/outbound-client.ts';
import { startPostgres } from '../harness/postgres.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { readQuestion } from '../harness/vocabulary.ts';
import { listAblations } from '../search/ablations.ts';
import { evaluateQuery, readGradedRecord, type ScoredQuery } from '../search/evaluate.ts';
import { isHeldOut, readGradedQueries } from '../search/graded-queries.ts';
import { importGradedRecord } from '../search/graded-records.ts';
import { summarize } from '../search/score.ts';

/**
 * How well `search` answers the graded queries of test/search, by kind of query, and what each part of the reading of a
 * question is worth: docs/search.md has the table. Needs the sample data. With CHARTGATE_EMBEDDINGS_URL, also what the model adds that is there.
 */
export async function benchSearchQuality(): Promise<void> {
  const dataDirectory = fs.mkdtempSync(path.join(os.tmpdir(), 'chartgate-bench-'));
  const postgres = await startPostgres();
  const db = await openDb({
    databaseUrl: postgres.url,
    dataDirectory,
    onFatal: (error) => process.stderr.write(`${error.message}\n`),
  });
  const remove = async (): Promise<void> => {
    await db.close();
    await postgres.stop();
    fs.rmSync(dataDirectory, { recursive: true, force: true });
  };
  const service = await startTestService({
    store: { db, databaseUrl: postgres.url, dataDirectory, remove },
    environment: { CHARTGATE_OAUTH_RATE_LIMIT: '1000000', ...readEmbeddingsEnvironment() },
  });
  const embedQuestion = createModel(service);
  const scored = new Map<string, ScoredQuery[]>();
  try {
    const asked = readGradedQueries().filter((query) => !isHeldOut(query));
    for (const [record, queries] of Map.groupBy(asked, (query) => query.record)) {
      const graded = await readGradedRecord(db, await importGradedRecord(service, record));
      await service.worker.drain();
      const readings = [...listAblations(readQuestion)].map(
        ([name, reader]) => [name, { db, readQuestion: reader }] as const,
      );
      const withModel = embedQuestion ? [['+ embeddings', { db, readQuestion, embedQuestion }] as const] : [];
      for (const [name, deps] of [...readings, ...withModel])
        for (const query of queries)
          scored.set(name, [...(scored.get(name) ?? []), await evaluateQuery(deps, graded, query)]);
    }
  } finally {
    await service.stop();
  }
  process.stdout.write(`${renderScores(scored).join('\n')}\n`);
}

const readEmbeddingsEnvironment = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      name.startsWith('CHARTGATE_EMBEDDINGS_') && value !== undefined ? [[name, value]] : [],
    ),
  );

/** The model of the environment, without the pause after a failure: a bench fails instead. */
function createModel({ config }: TestService): EmbedQuestion | null {
  if (config.embeddings === null) return null;
  const embedder = createEmbedder(createOutboundClient(), config.embeddings);
  return async (query) => (await embedder.embed([query], { timeoutMs: 60_000 }))[0] ?? null;
}

/** Renders a row for each kind of query and a column for each reading, as docs/search.md shows them. */
export function renderScores(scored: ReadonlyMap<string, readonly ScoredQuery[]>): string[] {
  const summaries = [...scored.values()].map((scores) => summarize(scores));
  const kinds = summaries[0]?.map(({ kind, queries }) => `${kind} (${queries})`) ?? [];
  const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const rows = (pick: 'ndcg' | 'recall' | 'falseShare', only: RegExp): string[] =>
    kinds.flatMap((kind, index) =>
      only.test(kind)
        ? [row([kind, ...summaries.map((each) => format(each[index]?.[pick] ?? Number.NaN))])]
        : [],
    );
  return [
    row(['nDCG@10', ...scored.keys()]),
    row(Array.from({ length: scored.size + 1 }, () => '---')),
    ...rows('ndcg', /^(?!nothing)/),
    ...rows('recall', /^all/).map((line) => line.replace(/^\| all/, '| recall@20, all')),
    ...rows('falseShare', /^nothing/).map((line) => line.replace(/^\| nothing/, '| false answers')),
  ];
}

const format = (number: number): string => (Number.isNaN(number) ? '' : number.toFixed(3));
