import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { CapacityLevel } from '../../server/platform/db/store-capacity.ts';
import { sql } from '../../server/platform/db/sql.ts';
import { createArchive } from '../harness/archive.ts';
import {
  call,
  callTool,
  decide,
  getOrganizationToken,
  newTestPatient,
  startTestService,
  upload,
  type HttpResponse,
  type TestPatient,
  type TestService,
} from '../harness/service.ts';
import { mountSmallDisk, type SmallDisk } from '../harness/small-disk.ts';
import { ENGINES, openTestStore } from '../harness/store.ts';
import { waitUntil } from '../harness/wait-until.ts';

const MB = 1024 * 1024;
const RESERVE_BYTES = 16 * MB;
const PATIENTS = 8;
/** Each writes some hundred bytes of audit entry; a page of them is eight thousand. */
const MAX_READS = 500;

const probe = mountSmallDisk(1);
probe?.remove();

const condition = {
  resourceType: 'Condition',
  id: 'c',
  subject: { reference: 'Patient/p' },
  code: { text: 'Gout' },
};

for (const engine of ENGINES)
  describe(
    `case 179: a full disk of the store, on ${engine}`,
    { skip: probe === null && 'this user may not mount a file system' },
    () => {
      const reserve = { bytes: RESERVE_BYTES, intervalMs: 20, refillMs: 3_600_000 };
      let disk: SmallDisk;
      let service: TestService;
      let token: string;
      let patients: TestPatient[];
      before(async () => {
        disk = mountSmallDisk(320) as SmallDisk;
        const store = await openTestStore(engine, {
          disk: disk.folder,
          reserve,
        });
        service = await startTestService({ store });
        patients = [];
        while (patients.length < PATIENTS) patients.push(await newTestPatient(service));
        token = await getOrganizationToken(service);
      });
      after(async () => {
        disk.clear();
        await service.stop();
        disk.remove();
      });

      const createUpload = async (scan?: Buffer): Promise<Buffer> =>
        createArchive({ 'a.json': JSON.stringify(condition), ...(scan && { 'scan.png': scan }) });
      const send = async (patient: TestPatient, scan?: Buffer): Promise<HttpResponse> => {
        const form = new FormData();
        form.append('file', new Blob([new Uint8Array(await createUpload(scan))]), 'a.zip');
        return call(service, `/v1/patients/${patient.id}/upload-documents`, {
          token: patient.token,
          body: form,
        });
      };
      const withdraw = (patient: TestPatient): Promise<HttpResponse> =>
        call(service, `/v1/projects/${patient.projectId}/patients/${patient.id}/consent`, {
          token: patient.token,
          json: { consentStatus: 'OPTED_OUT', consentType: 'PATIENT_DIRECTED_DATA_EXCHANGE' },
        });
      const readRecord = (patient: TestPatient): Promise<HttpResponse> =>
        call(service, `/FHIR/R4/Person/${patient.id}/$everything`, { token });
      const isReserveWhole = async (): Promise<boolean> => {
        const { db, dataDirectory } = service.store;
        if (engine === 'embedded') {
          const file = path.join(dataDirectory, 'store-reserve');
          return fs.statSync(file, { throwIfNoEntry: false })?.size === RESERVE_BYTES;
        }
        const held = await db.query(
          sql`select 1 where pg_total_relation_size(to_regclass('storage_margin')) >= ${RESERVE_BYTES}
            and pg_total_relation_size(to_regclass('storage_reserve')) >= ${RESERVE_BYTES}`,
        );
        return held.length > 0;
      };
      const waitForReserve = (): Promise<void> => waitUntil('the reserve is whole', isReserveWhole);
      const waitForLevel = (level: CapacityLevel): Promise<void> =>
        waitUntil(`the disk is ${level}`, () => service.store.db.capacity.level() === level);

      /** The embedded store measures its disk; PostgreSQL says so when it is full. */
      const becomeLow = async (): Promise<void> => {
        if (engine === 'embedded') {
          disk.fill(64);
          return waitForLevel('low');
        }
        disk.fill();
        const { status, body } = await send(patients[0] as TestPatient, randomBytes(12 * MB));
        assert.deepEqual([status, body.code], [507, 'store_full']);
        assert.equal(service.store.db.capacity.level(), 'low');
      };

      /**
       * Brings the server to where it takes no new connection: each writes a file, which a vacuum of the catalog has removed.
       * Connections for transactions are not there, as after ten idle seconds.
       */
      const refuseConnections = async (): Promise<void> => {
        await service.store.db.query(sql`
          select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and query in ('commit', 'rollback') and pid <> pg_backend_pid()`);
        const files = fs.readdirSync(disk.folder, { recursive: true, encoding: 'utf8' });
        for (const file of files.filter((name) => path.basename(name) === 'pg_internal.init'))
          fs.rmSync(path.join(disk.folder, file));
        disk.fill();
      };

      it('refuses uploads first, then reads, and lets everybody withdraw with an audit entry (case 324: also where no new connection is taken)', async () => {
        const [first, ...others] = patients as [TestPatient, ...TestPatient[]];
        await waitForReserve();
        assert.match((await upload(service, first, await createUpload())).status, /^completed/);
        await becomeLow();
        const uploaded = await send(first);
        assert.deepEqual([uploaded.status, uploaded.body.code], [507, 'store_full']);
        assert.equal((await readRecord(first)).status, 200);
        disk.fill();
        if (engine === 'postgresql') await refuseConnections();
        let reads = 0;
        while ((await readRecord(first)).status === 200) assert.ok(++reads < MAX_READS, 'reads stop');
        await waitForLevel('full');
        assert.equal((await readRecord(first)).status, 507);
        const called = await callTool(service, first, 'get_health_summary');
        assert.match(JSON.stringify(called.body), /store is full/);
        for (const patient of others) {
          const { status, body } = await withdraw(patient);
          assert.equal(status, 201, JSON.stringify(body));
        }
        const entries = await service.store.db.query(
          sql`select 1 from audit_entry where action = 'consent.recorded' and detail::text like '%OPTED_OUT%'`,
        );
        assert.equal(entries.length, others.length);
        assert.equal((await withdraw(first)).status, 201);
        const tokens = { email: first.email, password: first.password, projectId: first.projectId };
        assert.equal((await call(service, '/v1/auth/token', { json: tokens })).status, 200, 'people sign in');
        const consented = await decide(service, first, 'OPTED_IN');
        assert.deepEqual([consented.status, consented.body.code], [507, 'store_full']);
      });

      it('serves all again when there is space, and fills the reserve up first', async () => {
        disk.clear();
        reserve.refillMs = 0;
        await waitForReserve();
        await waitForLevel('ample');
        const [first, withdrawn] = patients as [TestPatient, TestPatient];
        assert.equal((await decide(service, first, 'OPTED_IN')).status, 201);
        assert.equal((await send(first)).status, 202);
        assert.equal((await readRecord(first)).status, 200);
        assert.equal((await readRecord(withdrawn)).status, 403);
      });
    },
  );
