import { everythingBench } from './everything.ts';
import { ingestBench } from './ingest.ts';
import { mcpBench } from './mcp.ts';
import { oauthBench } from './oauth.ts';
import { webhooksBench } from './webhooks.ts';

/** `npm run bench [-- ingest|everything|mcp|oauth|webhooks]`: speed as ratios to floors taken in the same run, since machines are noisy. */
const ROWS = new Map<string, () => Promise<unknown>>([
  ['ingest', ingestRow],
  ['everything', () => everythingBench()],
  ['mcp', () => mcpBench()],
  ['oauth', () => oauthBench()],
  ['webhooks', () => webhooksBench()],
]);
const wanted = process.argv.slice(2);
for (const [name, row] of ROWS) if (wanted.length === 0 || wanted.includes(name)) await row();

async function ingestRow(): Promise<void> {
  for (const {
    engine,
    source,
    jsonBytes,
    resources,
    ms,
    floorMs,
    ratio,
    rssGrowthMB,
  } of await ingestBench()) {
    const what = `${resources} resources, ${(jsonBytes / 1e6).toFixed(0)} MB (${source})`;
    const memory = rssGrowthMB === null ? 'unknown' : `${rssGrowthMB} MB`;
    process.stdout.write(
      `ingest ${engine}: ${what}; ${ms} ms, ${ratio.toFixed(1)} times parsing and copying (${floorMs} ms); resident memory grew by ${memory}\n`,
    );
  }
  process.stdout.write('\n');
}
