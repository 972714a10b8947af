import { useState } from 'react';
import type { z } from 'zod';
import type { getPatientFunnel, PatientState } from '../../../../contract/organization/patients.ts';
import { addDays, startOfDay, toDay } from '../../../../contract/time-zone.ts';
import { formatNumber, NUMBER_LOCALES } from '../../../kit/format-number.ts';
import { Table } from '../../../kit/table.tsx';
import { useConsole } from '../api/use-console.ts';
import { useData } from '../api/use-data.ts';
import { BarChart } from '../charts/chart.tsx';
import { Blank } from '../kit/blank.tsx';
import { Section } from '../kit/page.tsx';
import { PageLink } from '../kit/page-link.tsx';
import { States } from '../kit/states.tsx';
import { useProjectId } from '../kit/use-search.ts';
import { useLanguage } from '../words/use-words.ts';
import { formatDuration } from './format-duration.ts';
import { usePatientWords } from './use-patient-words.ts';
import './funnel.css';

/** Half a year: whoever has not answered by then will not. */
const WEEKS = 26;

type Funnel = z.infer<(typeof getPatientFunnel)['response']>;
type Step = 'invited' | 'opened' | 'hasAccount' | 'consented' | 'declined';

/** How far those who were invited have come, in all and by the week of their invitation. */
export function PatientFunnel() {
  const { funnel: words } = usePatientWords();
  const projectId = useProjectId();
  const { timeZone } = useConsole().organization;
  // One end for as long as the page is open, or each drawing would ask anew.
  const [today] = useState(() => toDay(Date.now(), timeZone));
  const query = useData<typeof getPatientFunnel>('GET /v1/organizations/{orgId}/patients/funnel', {
    query: {
      from: startOfDay(addDays(today, 1 - 7 * WEEKS), timeZone).toISOString(),
      to: startOfDay(addDays(today, 1), timeZone).toISOString(),
      ...(projectId !== null && { projectId }),
    },
  });
  return (
    <States query={query}>
      {({ total, weeks }) =>
        total.invited === 0 ? (
          <Blank text={words.empty} />
        ) : (
          <div className="page">
            <Steps total={total} />
            <Weeks weeks={weeks} />
          </div>
        )
      }
    </States>
  );
}

interface StepRow {
  name: Step;
  count: number;
  /** From the first invitation; null: not measured. */
  seconds: number | null;
  /** Where those stand who have come so far and no further. */
  state: PatientState;
}

const listSteps = ({ medianSeconds, ...counts }: Funnel['total']): StepRow[] => [
  { name: 'invited', count: counts.invited, seconds: null, state: 'invited' },
  { name: 'opened', count: counts.opened, seconds: medianSeconds.toOpened, state: 'opened' },
  { name: 'hasAccount', count: counts.hasAccount, seconds: medianSeconds.toAccount, state: 'has_account' },
  { name: 'consented', count: counts.consented, seconds: medianSeconds.toDecision, state: 'consents' },
  { name: 'declined', count: counts.declined, seconds: medianSeconds.toDecision, state: 'declined' },
];

function Steps({ total }: { total: Funnel['total'] }) {
  const { funnel: words, states } = usePatientWords();
  const { language } = useLanguage();
  const percent = new Intl.NumberFormat(NUMBER_LOCALES[language], {
    style: 'percent',
    maximumFractionDigits: 0,
  });
  return (
    <Section title={words.title}>
      <p className="soft">{words.lead(String(WEEKS))}</p>
      <Table
        caption={words.title}
        rows={listSteps(total)}
        getKey={({ name }) => name}
        empty={null}
        columns={[
          { header: words.step, render: ({ name }) => words.steps[name] },
          { header: words.people, numeric: true, render: ({ count }) => formatNumber(count, language) },
          {
            header: words.part,
            render: ({ name, count }) => (
              <span className="funnel-part">
                <span
                  className={`funnel-bar funnel-${name}`}
                  style={{ width: `${(count / total.invited) * 100}%` }}
                />
                <span className="funnel-share">{percent.format(count / total.invited)}</span>
              </span>
            ),
          },
          {
            header: words.median,
            render: ({ seconds }) => (seconds === null ? '' : formatDuration(seconds, language)),
          },
          {
            header: words.now,
            render: ({ state }) => (
              <PageLink to="/patients" search={{ state }}>
                {states[state]}
              </PageLink>
            ),
          },
        ]}
      />
    </Section>
  );
}

function Weeks({ weeks }: { weeks: Funnel['weeks'] }) {
  const { funnel: words } = usePatientWords();
  const { language } = useLanguage();
  const format = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short', timeZone: 'UTC' });
  return (
    <Section title={words.byWeek}>
      <BarChart
        title={words.byWeek}
        isTitled
        axis={words.week}
        series={(['consented', 'declined', 'undecided'] as const).map((name) => ({
          name,
          label: words.outcomes[name],
        }))}
        points={weeks.map(({ week, invited, consented, declined }) => ({
          label: format.format(new Date(week)),
          values: { consented, declined, undecided: invited - consented - declined },
          link: { to: '/patients', search: { invitedBefore: addDays(week, 7) } },
        }))}
      />
    </Section>
  );
}
