import type { TestPatient } from '../../harness/service.ts';
import { prepareArchive, uploadArchive, type Server } from '../bench-service.ts';
import { createContender, type Contender } from './contender.ts';
import { createPatient } from './patients.ts';
import type { Row, Workload } from './workload.ts';

/** An upload of a large record: each round begins with an empty store, and ends when the record is complete. */
export const ingest: Workload = {
  name: 'ingest',
  rounds: Number(process.env['CHARTGATE_BENCH_INGESTS'] ?? 3),
  warmsUp: false,
  async open({ folder, ...plan }) {
    const { archive, source } = await prepareArchive(folder);
    let contender: Contender | undefined;
    let server: Server | undefined;
    let patient: TestPatient | undefined;
    const pids = () => ({ service: server?.process.pid, database: contender?.databasePid });
    const row: Row = {
      async prepare() {
        contender = await createContender(plan);
        server = await contender.start();
        patient = await createPatient(server);
        await contender.settle(server);
      },
      async run() {
        if (server && patient) await uploadArchive(server, patient, archive);
        return 1;
      },
      async finish() {
        await contender?.stop();
        contender = undefined;
      },
    };
    return { pids, rows: new Map([[`the ${source} record`, row]]) };
  },
};
