import type {
  AuditVerification,
  listAuditCheckpoints,
} from '../../../../contract/organization/audit-events.ts';
import { Button } from '../../../kit/button.tsx';
import { formatNumber } from '../../../kit/format-number.ts';
import { Notice } from '../../../kit/notice.tsx';
import { useData } from '../api/use-data.ts';
import { CopyButton, Id } from '../kit/copy-button.tsx';
import { Section } from '../kit/page.tsx';
import { ExactTime } from '../kit/relative-time.tsx';
import { saveFile } from '../kit/save-file.ts';
import { States } from '../kit/states.tsx';
import { useLanguage } from '../words/use-words.ts';
import { useAuditWords } from './use-audit-words.ts';

/** Whether the log is as it was written, and its newest checkpoint to be kept elsewhere. */
export function Verification() {
  const { verification: words } = useAuditWords();
  const query = useData<typeof listAuditCheckpoints>('GET /v1/organizations/{orgId}/audit/checkpoints', {
    query: { limit: 1 },
  });
  return (
    <Section title={words.title}>
      <States query={query}>
        {({ verification, results: [newest] }) => (
          <div className="stack">
            {verification === null ? (
              <p className="soft">{words.never}</p>
            ) : (
              <Outcome verification={verification} />
            )}
            {newest === undefined ? (
              <p className="soft">{words.noCheckpoint}</p>
            ) : (
              <NewestCheckpoint checkpoint={newest} />
            )}
          </div>
        )}
      </States>
    </Section>
  );
}

function Outcome({ verification: { at, entries, block, fault } }: { verification: AuditVerification }) {
  const { verification: words } = useAuditWords();
  const { language } = useLanguage();
  if (fault === null)
    return (
      <p>
        {words.sound(formatNumber(entries, language), formatNumber(block, language))} <ExactTime time={at} />
      </p>
    );
  return (
    <Notice kind="danger">
      {words.altered} <ExactTime time={at} />
      {fault.block !== null && (
        <p>
          {words.where(formatNumber(fault.block, language))}{' '}
          {fault.entryId !== null && <Id id={fault.entryId} subject={words.entry} />}
        </p>
      )}
    </Notice>
  );
}

interface Checkpoint {
  block: number;
  sealedAt: string;
  checkpoint: string;
}

function NewestCheckpoint({ checkpoint: { block, sealedAt, checkpoint } }: { checkpoint: Checkpoint }) {
  const { verification: words } = useAuditWords();
  const { language } = useLanguage();
  return (
    <div className="audit-checkpoint">
      <p className="soft">
        {words.newest(formatNumber(block, language))} <ExactTime time={sealedAt} />. {words.newestHint}
      </p>
      <CopyButton text={checkpoint} subject={words.checkpoint} />
      <Button
        variant="quiet"
        onPress={() => saveFile(`audit-checkpoint-${block}.txt`, `${checkpoint}\n`, 'text/plain')}
      >
        {words.saveCheckpoint}
      </Button>
    </div>
  );
}
