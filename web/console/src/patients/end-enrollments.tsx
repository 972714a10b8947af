import { useCallback, useRef, useState } from 'react';
import type { z } from 'zod';
import type { endEnrollments } from '../../../../contract/organization/end-enrollments.ts';
import { Button } from '../../../kit/button.tsx';
import { formatCount, formatNumber } from '../../../kit/format-number.ts';
import { useQuery } from '../../../kit/query.ts';
import { useConsole } from '../api/use-console.ts';
import { useRefresh } from '../api/use-data.ts';
import { ConfirmDialog } from '../kit/confirm-dialog.tsx';
import { Dialog } from '../kit/dialog.tsx';
import { RefusalNotice } from '../kit/refusal-notice.tsx';
import { useToast } from '../kit/toasts.tsx';
import { useLanguage } from '../words/use-words.ts';
import { PATIENTS_TARGET } from './patient-data.ts';
import { type PatientFilter, toFilterBody } from './patient-filter.ts';
import { usePatientWords } from './use-patient-words.ts';

const TARGET = 'POST /v1/organizations/{orgId}/patients/end-enrollments';

interface EndProps {
  filter: PatientFilter;
  onClose: () => void;
}

/** Counts whose enrollment the filter of the list would end before anything can be pressed that ends it. */
export function EndEnrollments({ filter, onClose }: EndProps) {
  const { endAll: words } = usePatientWords();
  const { call } = useConsole();
  // Asked once: it is what the person then agrees to.
  const [asked] = useState(filter);
  const dryRun = useCallback(
    () => call<typeof endEnrollments>(TARGET, { body: { ...asked, dryRun: true } as never }),
    [call, asked],
  );
  const { query } = useQuery(dryRun);
  if (query.state === 'loaded' && query.data.matched > 0)
    return <EndForm filter={asked} counted={query.data} onClose={onClose} />;
  return (
    <Dialog title={words.title} onClose={onClose}>
      {query.state === 'loading' && <p role="status">{words.counting}</p>}
      {query.state === 'error' && <RefusalNotice refusal={query.refusal} />}
      {query.state === 'loaded' && <Nobody onClose={onClose} />}
    </Dialog>
  );
}

function Nobody({ onClose }: Pick<EndProps, 'onClose'>) {
  const { endAll: words } = usePatientWords();
  const { words: frame } = useLanguage();
  return (
    <div className="stack">
      <p>{words.nobody}</p>
      <div className="dialog-buttons">
        <Button onPress={onClose}>{frame.common.close}</Button>
      </div>
    </div>
  );
}

type Counted = z.infer<(typeof endEnrollments)['response']>;

function EndForm({ filter, counted, onClose }: EndProps & { counted: Counted }) {
  const { endAll: words } = usePatientWords();
  const { language } = useLanguage();
  const { call } = useConsole();
  const toast = useToast();
  const refresh = useRefresh();
  const [ended, setEnded] = useState<number | null>(null);
  // Pressed again after a failure, it goes on from here: never with more than were counted and are left.
  const progress = useRef({ ended: 0, remaining: counted.remaining });
  const end = async () => {
    const { current } = progress;
    while (current.remaining > 0) {
      setEnded(current.ended);
      const body = { ...toFilterBody(filter), expected: current.remaining };
      const answer = await call<typeof endEnrollments>(TARGET, { body: body as never });
      current.ended += answer.ended;
      current.remaining = answer.remaining;
    }
    toast(formatCount(current.ended, words.done, language));
    await refresh(PATIENTS_TARGET);
    onClose();
  };
  return (
    <ConfirmDialog
      title={words.title}
      confirm={words.confirm}
      danger
      typed={String(counted.matched)}
      texts={{ more_matched: words.moreMatched }}
      onConfirm={end}
      onClose={onClose}
    >
      <p>
        <strong>{formatCount(counted.matched, words.matched, language)}</strong>
      </p>
      <p>{formatCount(counted.consenting, words.consenting, language)}</p>
      <p>{words.mailed}</p>
      <p role="status">
        {ended !== null &&
          words.progress(formatNumber(ended, language), formatNumber(counted.matched, language))}
      </p>
    </ConfirmDialog>
  );
}
