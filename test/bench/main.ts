import { benchConsole } from './console.ts';
import { benchEverything } from './everything.ts';
import { benchFirstFact } from './first-fact.ts';
import { benchGrowth } from './growth.ts';
import { benchIngest } from './ingest.ts';
import { benchManyPatients } from './many-patients.ts';
import { benchMcp } from './mcp.ts';
import { benchNoisyNeighbour } from './noisy-neighbour.ts';
import { benchOAuth } from './oauth.ts';
import { benchPaired } from './paired/paired.ts';
import { benchSearchQuality } from './search-quality.ts';
import { benchSearch } from './search.ts';
import { benchStart } from './start.ts';
import { benchWebhooks } from './webhooks.ts';

/**
 * `npm run bench [-- ingest|everything|mcp|many-patients|paired|search|oauth|webhooks|start|console|growth|noisy-neighbour|search-quality]`: speed as ratios to floors taken in the
 * same run, since machines are noisy.
 */
const BENCHMARKS = new Map<string, () => Promise<unknown>>([
  ['ingest', runIngest],
  ['everything', () => benchEverything()],
  ['mcp', () => benchMcp()],
  ['many-patients', () => benchManyPatients()],
  ['paired', () => benchPaired()],
  ['search', () => benchSearch()],
  ['oauth', () => benchOAuth()],
  ['webhooks', () => benchWebhooks()],
  ['start', () => benchStart()],
  ['console', () => benchConsole()],
  ['growth', () => benchGrowth()],
  ['noisy-neighbour', () => benchNoisyNeighbour()],
  ['search-quality', () => benchSearchQuality()],
]);
/** What takes many minutes runs when it is named. */
const APART = new Set(['paired', 'console', 'growth', 'many-patients']);
const wanted = process.argv.slice(2);
for (const [name, run] of BENCHMARKS)
  if (wanted.length === 0 ? !APART.has(name) : wanted.includes(name)) await run();

async function runIngest(): Promise<void> {
  for (const each of await benchIngest()) {
    const what = `${each.resources} resources, ${(each.jsonBytes / 1e6).toFixed(0)} MB (${each.source})`;
    const first = `${each.ms} ms, ${each.ratio.toFixed(1)} times parsing and copying (${each.floorMs} ms)`;
    const warm = `another after it ${each.warmMs} ms, ${each.warmRatio.toFixed(1)} times`;
    const memory = each.rssGrowthMB === null ? 'unknown' : `${each.rssGrowthMB} MB`;
    process.stdout.write(
      `ingest ${each.engine}: ${what}; ${first}; ${warm}; resident memory grew by ${memory}\n`,
    );
  }
  await benchFirstFact();
}
