import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import {
  createOrganization,
  type CreatedOrganization,
} from '../../server/identity/members/create-organization.ts';
import { openDb } from '../../server/platform/db/open.ts';
import { raw } from '../../server/platform/db/sql.ts';
import { systemClock } from '../../server/platform/kernel/clock.ts';
import { sumUsageDays } from '../../server/surfaces/insights/sum-usage-days.ts';
import { sumWebhookDays } from '../../server/surfaces/webhooks/maintenance/sum-days.ts';
import { sumWebhookHours } from '../../server/surfaces/webhooks/maintenance/sum-hours.ts';
import { findFreePort } from '../harness/postgres.ts';
import { startBenchPostgres } from './start-postgres.ts';
import { getOrganizationToken, type TestService } from '../harness/service.ts';
import { fillConsoleStore, RARE_TOOL, scaleStore, type ConsoleStore } from './console-store.ts';
import { startChartgate } from './server-process.ts';

type Engine = 'postgresql' | 'embedded';

const LIST_BUDGET_MS: Readonly<Record<Engine, number>> = { postgresql: 200, embedded: 400 };
const STATISTICS_BUDGET_MS = 1000;
const DAY_MS = 24 * 3600 * 1000;

interface Page {
  /** Below the organization. */
  target: string;
  budget: 'list' | 'statistics';
}

/**
 * Every list of the console and its statistics of 90 days, in a store of 100,000 patients, a million audit entries and five
 * million attempts, against the least that a call of an organization costs. CHARTGATE_BENCH_SHARE=0.1 fills a tenth of it,
 * CHARTGATE_BENCH_ENGINES names the engines, CHARTGATE_BENCH_ROUNDS how often each page is asked for.
 */
export async function benchConsole({
  share = Number(process.env['CHARTGATE_BENCH_SHARE'] ?? 1),
  engines = (process.env['CHARTGATE_BENCH_ENGINES'] ?? 'postgresql,embedded').split(',') as Engine[],
  rounds = Number(process.env['CHARTGATE_BENCH_ROUNDS'] ?? 20),
} = {}): Promise<void> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'chartgate-bench-'));
  const postgres = await startBenchPostgres({ max_wal_size: '4GB' });
  const stops: (() => Promise<void>)[] = [postgres.stop];
  try {
    for (const engine of engines) {
      const databaseUrl = engine === 'postgresql' ? postgres.url : undefined;
      const dataDirectory = path.join(folder, engine);
      const started = performance.now();
      const { organization, store } = await fillStore({ databaseUrl, dataDirectory, share });
      const seconds = ((performance.now() - started) / 1000).toFixed(0);
      const size = Object.entries(scaleStore(share)).map(
        ([name, count]) => `${count.toLocaleString('en')} ${name}`,
      );
      process.stdout.write(`console ${engine}: ${size.join(', ')}, filled in ${seconds} s\n`);
      const port = await findFreePort();
      const server = await startChartgate(port, {
        CHARTGATE_DATA_DIR: dataDirectory,
        CHARTGATE_LOG_LEVEL: 'error',
        ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
      });
      stops.unshift(server.stop);
      const token = await getOrganizationToken({ baseUrl: server.url, organization } as TestService);
      const url = `${server.url}/v1/organizations/${store.organizationId}`;
      await measurePages({ engine, url, token, rounds }, store);
    }
  } finally {
    for (const stop of stops) await stop();
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

async function fillStore({
  share,
  ...store
}: {
  databaseUrl: string | undefined;
  dataDirectory: string;
  share: number;
}): Promise<{ organization: CreatedOrganization; store: ConsoleStore }> {
  const db = await openDb({ ...store, onFatal: (error) => process.stderr.write(`${error.message}\n`) });
  // The service's own connections end a statement after a minute.
  const client = store.databaseUrl === undefined ? null : new pg.Client(store.databaseUrl);
  await client?.connect();
  try {
    const organization = await createOrganization(
      { db, clock: systemClock },
      { name: 'Bench', project: 'Bench', purpose: 'To measure', adminEmail: 'bench@example.org' },
    );
    if (!organization) throw new Error('the store is not empty');
    const run = (statement: string): Promise<unknown> =>
      client ? client.query(statement) : db.query(raw(statement));
    const filled = await fillConsoleStore(run, organization, scaleStore(share));
    // As a service does that ran all the time.
    const { signal } = new AbortController();
    await sumWebhookHours({ db, clock: systemClock }, signal);
    await sumWebhookDays({ db }, signal);
    await sumUsageDays({ db, clock: systemClock }, signal);
    return { organization, store: filled };
  } finally {
    await client?.end();
    await db.close();
  }
}

/** The lists with each of their filters, and the statistics. */
function listPages({ projectIds, smallProjectId, webhookIds, clientIds, patientId }: ConsoleStore): Page[] {
  const [[project], [webhook], [client]] = [projectIds, webhookIds, clientIds];
  const daysAgo = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString();
  const day = `since=${daysAgo(60)}&until=${daysAgo(59)}`;
  const range = `from=${daysAgo(90)}&to=${daysAgo(0)}`;
  const list = (target: string, ...filters: string[]): Page[] =>
    ['', ...filters].map((filter) => ({ target: `${target}?${filter}`, budget: 'list' }));
  const sum = (target: string): Page => ({ target, budget: 'statistics' });
  return [
    ...list('patients', 'q=ruiz', 'q=MRN-77', 'q=zzz', 'state=consents', 'state=withdrew', 'state=invited'),
    ...list('patients', `projectId=${project}`, 'sourceState=failed', `invitedBefore=${daysAgo(80)}`).slice(
      1,
    ),
    ...list('consent-records', `client=${client}`, 'endsWithin=14', 'language=es', 'decision=withdrawn'),
    ...list(
      'consent-records',
      `projectId=${project}`,
      `patientId=${patientId}`,
      'withoutPictures=true',
    ).slice(1),
    ...list('audit-events', 'action=console.signed_in', 'action=client.blocked', 'actorKind=member'),
    ...list('audit-events', 'actorKind=system', 'actorId=member3', `client=${client}`).slice(1),
    ...list('audit-events', `patientId=${patientId}`, `projectId=${project}`, 'outcome=failed', day).slice(1),
    ...list('access-log', 'tool=get_labs', `tool=${RARE_TOOL}`, 'tool=find_trials', 'action=fhir.read'),
    ...list('access-log', 'outcome=refused', 'outcome=failed', `client=${client}`, day).slice(1),
    ...list('access-log', `tool=${RARE_TOOL}&client=${client}`, `projectId=${project}`).slice(1),
    ...list('clients', 'judgement=new', 'connected=true', 'q=app4'),
    ...list('webhooks'),
    ...list(`webhooks/${webhook}/deliveries`, 'status=exhausted', 'status=retrying', 'type=records.updated'),
    ...list(
      `webhooks/${webhook}/deliveries`,
      'answer=5xx',
      'answer=tls_failed',
      `patientId=${patientId}`,
    ).slice(1),
    ...list(`webhooks/${webhook}/deliveries`, `projectId=${project}`, day, `answer=5xx&${day}`).slice(1),
    ...list(
      `webhooks/${webhook}/deliveries`,
      'answer=2xx',
      'answer=5xx,tls_failed',
      'answer=5xx&status=exhausted',
      'answer=5xx&type=webhook.test',
      `answer=5xx&projectId=${project}`,
      `answer=5xx&patientId=${patientId}`,
      'type=webhook.test',
      `projectId=${smallProjectId}`,
      `answer=5xx&projectId=${smallProjectId}`,
    ).slice(1),
    ...list('webhook-events', 'type=consent.granted', `projectId=${smallProjectId}`),
    ...list('attention'),
    sum(`consent-stats?from=${daysAgo(89).slice(0, 10)}`),
    sum(`usage?${range}&by=tool`),
    sum(`usage?${range}&by=client`),
    sum(`webhooks/${webhook}/stats?from=${daysAgo(90)}`),
    sum(`patients/funnel?${range}`),
  ];
}

interface Service {
  engine: Engine;
  /** Of the organization. */
  url: string;
  token: string;
  rounds: number;
}

/** One call after another, all pages in turn, so that what else the machine does falls on all of them. */
async function measurePages(service: Service, store: ConsoleStore): Promise<void> {
  const floor: Page = { target: 'projects?limit=1', budget: 'list' };
  const measured = [floor, ...listPages(store)].map((page) => ({ ...page, times: [] as number[] }));
  for (let round = 0; round <= service.rounds; round++)
    for (const { target, times } of measured) {
      const ms = await timeCall(service, target);
      // The first one fills what is kept.
      if (round > 0) times.push(ms);
    }
  const [base, ...pages] = measured.map(({ times, ...page }) => ({ ...page, p95: findP95(times) }));
  process.stdout.write(
    `the floor, one project: p95 ${base?.p95.toFixed(0)} ms; budget ${LIST_BUDGET_MS[service.engine]} ms, statistics ${STATISTICS_BUDGET_MS} ms\n`,
  );
  for (const { target, budget, p95 } of pages) {
    const limit = budget === 'list' ? LIST_BUDGET_MS[service.engine] : STATISTICS_BUDGET_MS;
    const ratio = (p95 / (base?.p95 ?? 1)).toFixed(1);
    process.stdout.write(
      `${shorten(target)}: p95 ${p95.toFixed(0)} ms, ${ratio} times the floor${p95 > limit ? ', OVER BUDGET' : ''}\n`,
    );
  }
  process.stdout.write('\n');
}

async function timeCall({ url, token }: Service, target: string): Promise<number> {
  const started = performance.now();
  const answer = await fetch(`${url}/${target}`, { headers: { authorization: `Bearer ${token}` } });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${target}: ${answer.status} ${text}`);
  return performance.now() - started;
}

const findP95 = (times: readonly number[]): number =>
  times.toSorted((one, other) => one - other)[Math.ceil(times.length * 0.95) - 1] as number;

/** Without ids and times. */
const shorten = (target: string): string =>
  target.replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d{4}-\d\d-\d\d[^&]*/g, '…').replace(/\?$/, '');
