import type { getJwks } from '../../../../contract/account/auth.ts';
import type { exportAuditEvents } from '../../../../contract/organization/audit-events.ts';
import { Button } from '../../../kit/button.tsx';
import { useTask } from '../../../kit/task.ts';
import { useConsole, usePermission } from '../api/use-console.ts';
import { CopyCode } from '../kit/code.tsx';
import { Section } from '../kit/page.tsx';
import { RefusalNotice } from '../kit/refusal-notice.tsx';
import { saveFile } from '../kit/save-file.ts';
import { useAuditWords } from './use-audit-words.ts';

const TYPES = { ndjson: 'application/x-ndjson', csv: 'text/csv' } as const;

/** Exports what the filters of the page show; the service asks whether it is the member. */
export function AuditExport({ filter }: { filter: Readonly<Record<string, string | undefined>> }) {
  const { export: words } = useAuditWords();
  const { call, download } = useConsole();
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
  const saveKeys = () =>
    run(async () => {
      const keys = await call<typeof getJwks>('GET /.well-known/jwks.json');
      saveFile('keys.json', `${JSON.stringify(keys)}\n`, 'application/jwk-set+json');
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
        <Button variant="quiet" busy={busy} onPress={saveKeys}>
          {words.keys}
        </Button>
      </div>
      <CopyCode label={words.check} text="npx chartgate audit verify audit-log.ndjson --keys keys.json" />
      <p className="small soft">{words.retiredKeys}</p>
    </Section>
  );
}
