import fs from 'node:fs';
import { Pool } from 'undici';

/** Calls of tools, in their order; each has the token of the patient whom it is of. */
export interface CallPlan {
  url: string;
  connections: number;
  calls: readonly { token: string; body: string }[];
}

export interface CallReport {
  p50: number;
  p95: number;
  seconds: number;
  /** What this process took itself. */
  ownCpuMs: number;
}

/** Makes the calls of a plan in a process of its own, `node call-loop.ts PLAN`, and prints a report. */
const { url, connections, calls } = JSON.parse(
  fs.readFileSync(process.argv[2] as string, 'utf8'),
) as CallPlan;
const pool = new Pool(url, { connections, pipelining: 1 });
const times: number[] = [];
const before = process.cpuUsage();
const started = performance.now();
let next = 0;

async function run(): Promise<void> {
  for (let call = calls[next++]; call !== undefined; call = calls[next++]) {
    const { token, body } = call;
    const sent = performance.now();
    const answer = await pool.request({
      path: '/mcp',
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization: `Bearer ${token}`,
      },
      body,
    });
    const text = await answer.body.text();
    if (answer.statusCode !== 200 || text.includes('"error"'))
      throw new Error(`${body}: ${text.slice(0, 500)}`);
    times.push(performance.now() - sent);
  }
}

await Promise.all(Array.from({ length: connections }, run));
const seconds = (performance.now() - started) / 1000;
const { user, system } = process.cpuUsage(before);
await pool.close();
const sorted = times.toSorted((one, other) => one - other);
const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
const report: CallReport = { p50: at(0.5), p95: at(0.95), seconds, ownCpuMs: (user + system) / 1000 };
process.stdout.write(JSON.stringify(report));
