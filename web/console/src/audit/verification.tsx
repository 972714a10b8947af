import type { listAuditCheckpoints } from '../../../../contract/organization/audit-events.ts';
import { Button } from '../../../kit/button.tsx';
import { formatNumber } from '../../../kit/format-number.ts';
import { Notice } from '../../../kit/notice.tsx';
import { useData } from '../api/use-data.ts';
import { CopyButton } from '../kit/copy-button.tsx';
import { Section } from '../kit/page.tsx';
import { RelativeTime } from '../kit/relative-time.tsx';
import { saveFile } from '../kit/save-file.ts';
import { States } from '../kit/states.tsx';
import { useLanguage } from '../words/use-words.ts';
import { useAuditWords } from './use-audit-words.ts';

/** Whether the log is as it was written, and its newest checkpoint to be kept elsewhere. */
export function Verification() {
  const { verification: words } = useAuditWords();
  const { language } = useLanguage();
  const query = useData<typeof listAuditCheckpoints>('GET /v1/organizations/{orgId}/audit/checkpoints', {
    query: { limit: 1 },
  });
  return (
    <Section title={words.title}>
      <States query={query}>
        {({ verification, results: [newest] }) => (
          <>
            {verification === null ? (
              <p className="soft">{words.never}</p>
            ) : verification.fault === null ? (
              <p>
                {words.sound(
                  formatNumber(verification.entries, language),
                  formatNumber(verification.block, language),
                )}{' '}
                <RelativeTime time={verification.at} />
              </p>
            ) : (
              <Notice kind="danger">
                {words.altered} <RelativeTime time={verification.at} />
              </Notice>
            )}
            {newest === undefined ? (
              <p className="soft">{words.noCheckpoint}</p>
            ) : (
              <div className="audit-checkpoint">
                <p className="soft">
                  {words.newest}: {formatNumber(newest.block, language)}. {words.newestHint}
                </p>
                <CopyButton text={newest.checkpoint} subject={words.checkpoint} />
                <Button
                  variant="quiet"
                  onPress={() =>
                    saveFile(`audit-checkpoint-${newest.block}.txt`, `${newest.checkpoint}\n`, 'text/plain')
                  }
                >
                  {words.saveCheckpoint}
                </Button>
              </div>
            )}
          </>
        )}
      </States>
    </Section>
  );
}
