import fs from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { threadId } from 'node:worker_threads';
import { Reschedule } from '../../server/platform/jobs/job-kind.ts';
import { serveJobs } from '../../server/platform/jobs/serve-jobs.ts';
import { Refusal } from '../../server/platform/kernel/refusal.ts';

/** By small pieces; one large piece beyond the limit would make V8 end the whole process. */
function exhaust(): never {
  let last: object = {};
  for (;;) last = { last };
}

/** A thread with jobs that misbehave. Results are written into the file that a job names. */
serveJobs({
  handlers: {
    async report({ file }: { file: string }, { clock }) {
      fs.appendFileSync(file, `${JSON.stringify({ threadId, now: clock.now().getTime() })}\n`);
    },
    async refuse() {
      throw new Refusal(410, 'patient_gone', { detail: 'The patient no longer exists.' });
    },
    async later() {
      throw new Reschedule(250);
    },
    async 'run out of memory'() {
      exhaust();
    },
    /** Only the first time. */
    async 'die once'({ file }: { file: string }) {
      if (fs.existsSync(file)) return;
      fs.writeFileSync(file, 'died');
      exhaust();
    },
    async compute({ file }: { file?: string }) {
      if (file !== undefined) fs.writeFileSync(file, 'begun');
      for (;;);
    },
    async 'wait for abort'({ file }: { file?: string }, { signal }) {
      if (file !== undefined) fs.writeFileSync(file, 'begun');
      await sleep(600_000, undefined, { signal }).catch(() => signal.throwIfAborted());
    },
  },
  close: async () => {},
});
