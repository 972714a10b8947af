import { useState } from 'react';
import { revealInvisible } from '../../../../contract/reveal-invisible.ts';
import { Button } from '../../../kit/button.tsx';
import { formatNumber } from '../../../kit/format-number.ts';
import { type Column, Table } from '../../../kit/table.tsx';
import { Badge } from '../kit/badge.tsx';
import { Section } from '../kit/page.tsx';
import { RelativeTime } from '../kit/relative-time.tsx';
import { States } from '../kit/states.tsx';
import { useLanguage } from '../words/use-words.ts';
import { GenerateDialog } from './generate-dialog.tsx';
import { UploadDialog } from './upload-dialog.tsx';
import { type Upload, useUploads } from './use-agent-data.ts';
import { useTestPatientWords } from './use-test-patient-words.ts';
import './test-patients.css';

const DIALOGS = { generate: GenerateDialog, upload: UploadDialog } as const;

/** What was uploaded for the person, and what became of it. */
export function RecordSection() {
  const { record: words } = useTestPatientWords();
  const query = useUploads();
  const columns = useColumns();
  const [opened, setOpened] = useState<keyof typeof DIALOGS | null>(null);
  const Opened = opened === null ? null : DIALOGS[opened];
  const isEmpty = query.data?.length === 0;
  return (
    <Section
      title={words.title}
      actions={
        <>
          <Button variant={isEmpty ? 'strong' : 'plain'} onPress={() => setOpened('generate')}>
            {words.generate}
          </Button>
          <Button onPress={() => setOpened('upload')}>{words.upload}</Button>
        </>
      }
    >
      <States query={query}>
        {(uploads) => (
          <Table
            caption={words.caption}
            columns={columns}
            rows={uploads}
            getKey={({ batchId }) => batchId}
            empty={<p className="soft">{words.empty}</p>}
          />
        )}
      </States>
      {Opened && <Opened onClose={() => setOpened(null)} />}
    </Section>
  );
}

const BADGES = {
  queued: 'plain',
  processing: 'plain',
  needs_confirmation: 'warning',
  completed: 'good',
  completed_with_errors: 'warning',
  failed: 'danger',
} as const;

function useColumns(): Column<Upload>[] {
  const { columns, states } = useTestPatientWords().record;
  const { language } = useLanguage();
  return [
    { header: columns.when, render: ({ receivedAt }) => <RelativeTime time={receivedAt} /> },
    {
      header: columns.state,
      render: ({ status }) => (
        <span className="upload-state">
          <Badge kind={BADGES[status]}>{states[status]}</Badge>
        </span>
      ),
    },
    {
      header: columns.resources,
      numeric: true,
      render: ({ resources }) => formatNumber(resources.created, language),
    },
    {
      header: columns.rejected,
      numeric: true,
      render: ({ documents }) => formatNumber(documents.rejected, language),
    },
    {
      header: columns.files,
      render: ({ paths }) => paths.map(revealInvisible).join(', '),
    },
  ];
}
