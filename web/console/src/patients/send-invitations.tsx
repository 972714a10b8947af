import { useState } from 'react';
import type { sendInvitations } from '../../../../contract/organization/patients.ts';
import { Button } from '../../../kit/button.tsx';
import { formatNumber } from '../../../kit/format-number.ts';
import { useTask } from '../../../kit/task.ts';
import { useConsole } from '../api/use-console.ts';
import { useData, useRefresh } from '../api/use-data.ts';
import { Dialog } from '../kit/dialog.tsx';
import { MailsKept } from '../kit/mails-kept.tsx';
import { RefusalNotice } from '../kit/refusal-notice.tsx';
import { States } from '../kit/states.tsx';
import { useToast } from '../kit/toasts.tsx';
import { useLanguage } from '../words/use-words.ts';
import { AsksNothing } from './asks-nothing.tsx';
import { type PatientFilter, toFilterBody } from './patient-filter.ts';
import { usePatientWords } from './use-patient-words.ts';

const TARGET = 'POST /v1/organizations/{orgId}/patients/invitations';

/** Counts whom the filter of the list finds for an invitation, and sends it, some hundred with each call. */
export function SendInvitations({ filter, onClose }: { filter: PatientFilter; onClose: () => void }) {
  const { send: words } = usePatientWords();
  const { words: frame, language } = useLanguage();
  const { call, keepsMails } = useConsole();
  const toast = useToast();
  const refresh = useRefresh();
  const { busy, refusal, run } = useTask();
  const [sent, setSent] = useState(0);
  const format = (count: number) => formatNumber(count, language);
  const query = useData<typeof sendInvitations>(TARGET, {
    body: { ...toFilterBody(filter), dryRun: true } as never,
  });
  const send = async () => {
    let count = 0;
    for (let remaining = 1; remaining > 0;) {
      const answer = await call<typeof sendInvitations>(TARGET, { body: toFilterBody(filter) as never });
      count += answer.sent;
      setSent(count);
      remaining = answer.sent === 0 ? 0 : answer.remaining;
    }
    toast(keepsMails ? frame.mails.toastMany(format(count)) : words.done(format(count)));
    await refresh('GET /v1/organizations/{orgId}/patients');
    onClose();
  };
  return (
    <Dialog title={words.title} onClose={onClose}>
      <States query={query}>
        {({ remaining, recentlyInvited }) => (
          <div className="stack">
            <p>{remaining === 0 ? words.nobody : words.lead(format(remaining))}</p>
            {recentlyInvited > 0 && <p className="soft">{words.recent(format(recentlyInvited))}</p>}
            {remaining > 0 && <AsksNothing projectId={filter.projectId} />}
            {remaining > 0 && <MailsKept />}
            {refusal && <RefusalNotice refusal={refusal} />}
            <p role="status">{busy && words.progress(format(sent), format(remaining))}</p>
            <div className="dialog-buttons">
              <Button onPress={onClose}>{remaining === 0 ? frame.common.close : frame.common.cancel}</Button>
              {remaining > 0 && (
                <Button variant="strong" busy={busy} onPress={() => run(send)}>
                  {words.confirm}
                </Button>
              )}
            </div>
          </div>
        )}
      </States>
    </Dialog>
  );
}
