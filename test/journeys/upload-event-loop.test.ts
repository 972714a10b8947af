import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseResource } from '../../server/clinical/store/parse-resource.ts';
import { createArchive } from '../harness/archive.ts';
import {
  call,
  newTestPatient,
  generateRecordArchive,
  startTestService,
  upload,
  waitForBatch,
  type TestPatient,
  type TestService,
} from '../harness/service.ts';
import { isLong } from '../harness/long.ts';
import { ENGINES } from '../harness/store.ts';

const MiB = 1024 * 1024;

/** JSON whose parsing takes its time: numbers, which are kept as they are written. */
const buildNumbers = (count: number): string =>
  `{"resourceType":"Basic","id":"numbers","extension":[${'{"valueDecimal":1.500},'.repeat(count)}{}]}`;

/** In as many values as are taken. The embedded engine stores a megabyte in a second, in a thread of its own. */
const manyNumbers = buildNumbers(450_000);
const fewerNumbers = buildNumbers(100_000);

/** `[3],[7],…`: of random digits, since what packs too well is refused as a bomb. */
function buildNestedDigits(length: number): string {
  const text = Buffer.from('[0],'.repeat(length / 4));
  const random = crypto.getRandomValues(Buffer.alloc(65_536));
  for (let at = 1; at < text.length; at += 4) text[at] = 0x30 + ((random[(at >> 2) % 65_536]! + at) % 10);
  return text.toString();
}

/**
 * Milliseconds of the processor that this thread used from `since` on. Unlike time, they do not grow where other programs
 * hold the thread up.
 */
function readThreadMs(since?: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(since);
  return (user + system) / 1000;
}

let structureArchive: Promise<Buffer> | undefined;

/** A resource that is nothing but structure, made once: its digits take a second to pack. */
const openStructureArchive = (): Promise<Buffer> =>
  (structureArchive ??= createArchive({
    'structure.json': `{"resourceType":"Basic","extension":[${buildNestedDigits(30 * MiB)}1]}`,
  }));

const parsingMs = new Map<string, number>();

/** What it costs to parse a text in this thread: the least of two times, measured once for each text. */
function measureParsing(text: string): number {
  const known = parsingMs.get(text);
  if (known !== undefined) return known;
  const measured = [1, 2].map(() => {
    const from = process.threadCpuUsage();
    parseResource(text);
    return readThreadMs(from);
  });
  parsingMs.set(text, Math.min(...measured));
  return Math.min(...measured);
}

const MAX_TRIES = 4;

/** Watches how much this thread computes at most between two of its turns. */
function watchTurns(): { stop(): number } {
  let longest = 0;
  let last = process.threadCpuUsage();
  const look = (): void => {
    longest = Math.max(longest, readThreadMs(last));
    last = process.threadCpuUsage();
  };
  const timer = setInterval(look, 5);
  return {
    stop() {
      clearInterval(timer);
      look();
      return longest;
    },
  };
}

for (const engine of ENGINES) {
  describe(`the event loop while uploads are read, on ${engine}`, () => {
    let service: TestService;
    let patient: TestPatient;
    before(async () => {
      service = await startTestService({ engine });
      patient = await newTestPatient(service);
    });
    after(() => service.stop());

    /**
     * Milliseconds of the processor that one turn of the loop took at most from the moment when the upload was accepted. Where
     * that is more than `limit`, anew with another patient: on a busy machine a turn may answer for several.
     */
    // oxlint-disable-next-line typescript/no-explicit-any
    async function measureDelay(archive: Buffer, limit: number): Promise<{ delay: number; batch: any }> {
      for (let tries = 1; ; tries++) {
        const patient = await newTestPatient(service);
        const form = new FormData();
        form.append('file', new Blob([archive]), 'archive.zip');
        const url = `/v1/patients/${patient.id}/upload-documents`;
        const { body } = await call(service, url, { token: patient.token, body: form });
        const turns = watchTurns();
        const batch = await waitForBatch(service, patient, body.batchId as string);
        const delay = turns.stop();
        if (delay < limit || tries === MAX_TRIES) return { delay, batch };
      }
    }

    it('is not held up by a resource of hundreds of thousands of numbers, which is stored', async () => {
      const numbers = engine === 'postgresql' || isLong ? manyNumbers : fewerNumbers;
      const here = measureParsing(numbers);
      const { delay, batch } = await measureDelay(await createArchive({ 'numbers.json': numbers }), here / 2);
      assert.deepEqual(batch.resources, { created: 1, updated: 0, unchanged: 0 });
      assert.ok(delay < here / 2, `${delay} ms, and ${here} ms to parse it`);
    });

    // It is rejected before a store is asked.
    if (engine === 'postgresql' || isLong)
      it('is not held up by a resource that is nothing but structure, which is rejected', async () => {
        const here = measureParsing(manyNumbers);
        const { delay, batch } = await measureDelay(await openStructureArchive(), here / 2);
        const codes = batch.rejected.map(
          ({ path, code }: { path: string; code: string }) => `${path} ${code}`,
        );
        assert.ok(codes.includes('structure.json too_many_values'), codes.join());
        assert.ok(delay < here / 2, `${delay} ms, and ${here} ms to parse a tenth of it`);
      });

    it('serves others while a large record is read', async () => {
      const other = await newTestPatient(service);
      const large = upload(
        service,
        patient,
        await generateRecordArchive({ seed: 3, years: isLong ? 15 : 4 }),
      );
      let answers = 0;
      const isReading = (): Promise<boolean> =>
        Promise.race([large.then(() => false), sleep(0).then(() => true)]);
      while (await isReading()) {
        const { status } = await call(service, `/v1/patients/${other.id}/upload-documents`, {
          token: other.token,
        });
        assert.equal(status, 200);
        answers++;
      }
      assert.equal((await large).status, 'completed');
      assert.ok(answers > 10, `${answers} answers`);
    });
  });
}
