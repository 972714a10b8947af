import { setTimeout as sleep } from 'node:timers/promises';
import type { TestPatient } from '../../harness/service.ts';
import { decideConsent, requestJson, type Server } from '../bench-service.ts';
import { startSink, type Sink } from '../start-webhook-sink.ts';
import { createPatient } from './patients.ts';
import type { Workload } from './workload.ts';

const PATIENTS = 8;
/** Consents that each patient gives and withdraws in a round. */
const CONSENTS = 25;
/** What is delivered is written down after it has arrived. */
const SETTLING_MS = 500;

/** Consents that patients give and withdraw over HTTP, eight at a time, until one endpoint has acknowledged every event. */
export const webhooks: Workload = {
  name: 'webhooks',
  warmsUp: true,
  async open(contender) {
    const sink = await startSink(contender.folder);
    contender.onStop(sink.stop);
    const server = await contender.start(sink.environment);
    await registerWebhook(server, sink);
    const patients: TestPatient[] = [];
    for (let index = 0; index < PATIENTS; index++)
      patients.push(await createPatient(server, { consent: false }));
    const pids = { service: server.process.pid, database: contender.databasePid };
    const prepare = async (): Promise<void> => void (await sink.report());
    async function run(): Promise<number> {
      const count = PATIENTS * CONSENTS;
      const arrival = sink.until(2 * count);
      await Promise.all(patients.map((patient) => giveAndWithdraw(server, patient)));
      const limit = AbortSignal.timeout(120_000);
      const late = new Promise<never>((_, reject) =>
        limit.addEventListener('abort', () => reject(new Error('events did not arrive'))),
      );
      await Promise.race([arrival, late]);
      await sleep(SETTLING_MS);
      return count;
    }
    return { pids: () => pids, rows: new Map([['a consent given and withdrawn', { prepare, run }]]) };
  },
};

async function registerWebhook(server: Server, sink: Sink): Promise<void> {
  const { organizationId, admin } = server.organization;
  const { token } = (await requestJson(server, '/v1/auth/token', { json: admin })) as { token: string };
  await requestJson(server, `/v1/organizations/${organizationId}/webhooks`, {
    token,
    json: { url: `${sink.url}/well`, eventTypes: ['consent.granted', 'consent.withdrawn'] },
  });
}

async function giveAndWithdraw(server: Server, patient: TestPatient): Promise<void> {
  for (let consent = 0; consent < CONSENTS; consent++)
    for (const consentStatus of ['OPTED_IN', 'OPTED_OUT'] as const)
      await decideConsent(server, patient, { consentStatus });
}
