import type {
  DoctorRun,
  getDoctorRuns,
  startDoctorRun,
} from '../../../../contract/organization/doctor/doctor.ts';
import { Busy } from '../../../kit/busy.tsx';
import { Button } from '../../../kit/button.tsx';
import { Notice } from '../../../kit/notice.tsx';
import { useTask } from '../../../kit/task.ts';
import { useConsole } from '../api/use-console.ts';
import { useData, useRefresh } from '../api/use-data.ts';
import { AsCurl } from '../kit/as-curl.tsx';
import { Blank } from '../kit/blank.tsx';
import { useCurl } from '../kit/build-curl.ts';
import { Page, Section } from '../kit/page.tsx';
import { RefusalNotice } from '../kit/refusal-notice.tsx';
import { RelativeTime } from '../kit/relative-time.tsx';
import { States } from '../kit/states.tsx';
import { Findings } from './findings.tsx';
import { useSystemCheckWords } from './use-system-check-words.ts';
import './system-check.css';

const TARGET = 'GET /v1/organizations/{orgId}/doctor';
const START = 'POST /v1/organizations/{orgId}/doctor';
const POLL_MS = 2000;

/** Checks the deployment on demand, as the command `chartgate doctor` does. */
export function SystemCheck() {
  const words = useSystemCheckWords();
  const query = useData<typeof getDoctorRuns>(TARGET);
  const curl = useCurl()<typeof startDoctorRun>(START);
  const isRunning = query.data !== undefined && query.data.running !== null;
  return (
    <Page name="system-check" title={words.title} lead={words.lead}>
      <Start isRunning={isRunning} />
      {isRunning && <Watch />}
      <States query={query}>
        {({ running, last }) => (
          <div className="stack">
            {running !== null && <Running run={running} />}
            {last !== null ? <Last run={last} /> : running === null && <Blank text={words.empty} />}
          </div>
        )}
      </States>
      <AsCurl command={curl} />
    </Page>
  );
}

/** Asks for the runs again and again while it is drawn. */
function Watch() {
  useData<typeof getDoctorRuns>(TARGET, {}, { pollMs: POLL_MS });
  return null;
}

function Start({ isRunning }: { isRunning: boolean }) {
  const words = useSystemCheckWords();
  const { call } = useConsole();
  const refresh = useRefresh();
  const task = useTask();
  const start = () =>
    task.run(async () => {
      await call<typeof startDoctorRun>(START);
      await refresh(TARGET);
    });
  return (
    <Section title={words.startTitle} isNarrow>
      <p>{words.what}</p>
      <p className="soft">{words.patient}</p>
      {task.refusal !== null && (
        <RefusalNotice refusal={task.refusal} texts={{ doctor_running: words.runsAlready }} />
      )}
      <div>
        <Button variant="strong" busy={task.busy || isRunning} onPress={start}>
          {words.start}
        </Button>
        <Busy busy={isRunning} text={words.running} />
      </div>
    </Section>
  );
}

function Running({ run: { step, steps, findings } }: { run: DoctorRun }) {
  const words = useSystemCheckWords();
  return (
    <Section title={words.running}>
      <p className="soft">{words.progress(String(step), String(steps))}</p>
      <progress className="system-check-progress" value={step} max={steps} aria-label={words.running} />
      <Findings findings={findings} />
    </Section>
  );
}

function Last({ run: { finishedAt, startedBy, isHealthy, findings } }: { run: DoctorRun }) {
  const words = useSystemCheckWords();
  const warnings = findings.filter(({ outcome }) => outcome === 'warning').length;
  const verdict = !isHealthy ? words.fails : warnings > 0 ? words.warns : words.healthy;
  return (
    <Section title={words.lastTitle}>
      <p className="soft">
        {words.by(startedBy.name ?? words.somebody)} <RelativeTime time={finishedAt ?? ''} />
      </p>
      {isHealthy && warnings === 0 ? (
        <p>{verdict}</p>
      ) : (
        <Notice kind={isHealthy ? 'warning' : 'danger'}>{verdict}</Notice>
      )}
      <Findings findings={findings} />
    </Section>
  );
}
