import type { exportAuditEvents } from '../../../../contract/organization/audit-events.ts';
import { Button } from '../../../kit/button.tsx';
import { useTask } from '../../../kit/task.ts';
import { useConsole, usePermission } from '../api/use-console.ts';
import { Section } from '../kit/page.tsx';
import { RefusalNotice } from '../kit/refusal-notice.tsx';
import { saveFile } from '../kit/save-file.ts';
import { useAuditWords } from './use-audit-words.ts';

const TYPES = { ndjson: 'application/x-ndjson', csv: 'text/csv' } as const;

/** Exports what the filters of the page show; the service asks whether it is the member. */
export function AuditExport({ filter }: { filter: Readonly<Record<string, string | undefined>> }) {
  const { export: words } = useAuditWords();
  const { download } = useConsole();
  const { busy, refusal, run } = useTask();
  const isPermitted = usePermission('audit.export');
  if (!isPermitted) return null;
  const save = (format: keyof typeof TYPES) =>
    run(async () => {
      const file = await download<typeof exportAuditEvents>(
        'GET /v1/organizations/{orgId}/audit-events/export',
        { query: { ...filter, format } },
      );
      saveFile(`audit-log.${format}`, file, TYPES[format]);
    });
  return (
    <Section title={words.title}>
      <p className="soft">{words.lead}</p>
      {refusal && <RefusalNotice refusal={refusal} />}
      <div className="page-actions">
        <Button variant="plain" busy={busy} onPress={() => save('ndjson')}>
          {words.ndjson}
        </Button>
        <Button variant="quiet" busy={busy} onPress={() => save('csv')}>
          {words.csv}
        </Button>
      </div>
    </Section>
  );
}
