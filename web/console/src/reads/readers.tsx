import { useState } from 'react';
import type { getUsage } from '../../../../contract/organization/usage.ts';
import { formatNumber } from '../../../kit/format-number.ts';
import { Table } from '../../../kit/table.tsx';
import { usePermission } from '../api/use-console.ts';
import { useData } from '../api/use-data.ts';
import { Section } from '../kit/page.tsx';
import { PageLink } from '../kit/page-link.tsx';
import { States } from '../kit/states.tsx';
import { useProjectId } from '../kit/use-search.ts';
import { LISTED_OUTCOMES } from '../usage/sum-usage.ts';
import { useLanguage } from '../words/use-words.ts';
import { type ReaderSum, sumByReader } from './sum-by-reader.ts';
import { useReadsWords } from './use-reads-words.ts';
import './readers.css';

const HOUR_MS = 3600 * 1000;
const POLL_MS = 30_000;
const WEEKS_MS = 28 * 24 * HOUR_MS;

/** Those that read less are in the list below. */
const MAX_READERS = 10;

/** Who read most in the last four weeks: a bar each, refused reads apart, that leads to its reads. */
export function Readers() {
  const { readers: words } = useReadsWords();
  const isPermitted = usePermission('usage.read');
  return isPermitted ? (
    <Section title={words.title}>
      <ReaderBars />
    </Section>
  ) : null;
}

function ReaderBars() {
  const { readers: words } = useReadsWords();
  const projectId = useProjectId();
  // One range for as long as the page is open, or each drawing would ask anew.
  const [to] = useState(() => new Date(Math.ceil(Date.now() / HOUR_MS) * HOUR_MS));
  const since = new Date(to.getTime() - WEEKS_MS).toISOString();
  const query = useData<typeof getUsage>(
    'GET /v1/organizations/{orgId}/usage',
    {
      query: {
        from: since,
        to: to.toISOString(),
        bucket: 'total',
        by: 'client',
        ...(projectId !== null && { projectId }),
      } as never,
    },
    { pollMs: POLL_MS },
  );
  return (
    <States query={query}>
      {({ results, names }) => {
        const readers = sumByReader(results);
        return readers.length === 0 ? (
          <p className="soft">{words.none}</p>
        ) : (
          <ReaderTable readers={readers.slice(0, MAX_READERS)} names={names} since={since} />
        );
      }}
    </States>
  );
}

interface ReaderTableProps {
  readers: readonly ReaderSum[];
  names: Readonly<Record<string, string>>;
  since: string;
}

function ReaderTable({ readers, names, since }: ReaderTableProps) {
  const { readers: words, columns, direct, ownProgram } = useReadsWords();
  const { language } = useLanguage();
  const most = Math.max(1, ...readers.map(({ reads, refused }) => reads + refused));
  const nameReader = ({ key }: ReaderSum) =>
    key === null ? (
      ownProgram
    ) : (
      <PageLink to="/reads" search={{ client: key, since, outcome: LISTED_OUTCOMES }}>
        {key === 'direct' ? direct : (names[key] ?? key)}
      </PageLink>
    );
  const renderReader = (reader: ReaderSum) => (
    <>
      {nameReader(reader)}
      <Bar {...reader} most={most} />
    </>
  );
  return (
    <Table
      caption={words.title}
      rows={readers}
      getKey={({ key }) => key ?? ''}
      empty={null}
      columns={[
        { header: columns.reader, render: renderReader },
        { header: words.reads, numeric: true, render: ({ reads }) => formatNumber(reads, language) },
        { header: words.refused, numeric: true, render: ({ refused }) => formatNumber(refused, language) },
      ]}
    />
  );
}

/** As long as the reads and those refused are many; the numbers beside it say the same. */
function Bar({ reads, refused, most }: ReaderSum & { most: number }) {
  return (
    <span className="reader-part" aria-hidden="true">
      <span style={{ width: `${(reads / most) * 100}%` }} />
      <span className="reader-refused" style={{ width: `${(refused / most) * 100}%` }} />
    </span>
  );
}
