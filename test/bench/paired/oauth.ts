import http from 'node:http';
import type { TestPatient } from '../../harness/service.ts';
import { createBrowser, registerClient } from '../oauth-load-client.ts';
import { startLoad, type Operation } from '../oauth-load.ts';
import { createPatient } from './patients.ts';
import type { Row, Workload } from './workload.ts';

const USERS = 8;
const SECONDS = Number(process.env['CHARTGATE_BENCH_SECONDS'] ?? 4);
const REDIRECT_URI = 'https://client.example/callback';

/** Grants of refresh tokens, and code flows from the authorization request to the token, by eight people at a time. */
export const oauth: Workload = {
  name: 'oauth',
  warmsUp: true,
  async open(contender) {
    const server = await contender.start();
    const people: TestPatient[] = [];
    for (let user = 0; user < USERS; user++) people.push(await createPatient(server, { consent: false }));
    const browser = createBrowser(server.url, () => http.globalAgent);
    const clientId = await registerClient(browser, [REDIRECT_URI]);
    const target = { url: server.url, clientId, redirectUri: REDIRECT_URI, completePath: '/oauth/complete/' };
    const load = await startLoad({ target, people }).catch((error: unknown) => {
      if (contender.side === 'now') throw error;
      return startLoad({ target: { ...target, takesScreenWithDecision: true }, people });
    });
    contender.onStop(load.stop);
    const repeat = (operation: Operation): Row => ({
      run: async () => (await load.run(operation, SECONDS)).operations,
    });
    const pids = { service: server.process.pid, database: contender.databasePid };
    return {
      pids: () => pids,
      rows: new Map([
        ['a refresh grant', repeat('refresh')],
        ['a code flow with evidence of 700 bytes', repeat('flow')],
      ]),
    };
  },
};
