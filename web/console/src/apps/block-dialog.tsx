import { useCallback, useState } from 'react';
import type { z } from 'zod';
import type { ClientApp, judgeClient } from '../../../../contract/organization/clients.ts';
import { Form } from '../../../kit/form.tsx';
import { formatCount } from '../../../kit/format-number.ts';
import { useQuery } from '../../../kit/query.ts';
import { useConsole } from '../api/use-console.ts';
import { Dialog } from '../kit/dialog.tsx';
import { RefusalNotice } from '../kit/refusal-notice.tsx';
import { useToast } from '../kit/toasts.tsx';
import { useLanguage } from '../words/use-words.ts';
import { AppName, formatAppName } from './app-names.tsx';
import { JudgementFields, useJudgementForm } from './judgement-fields.tsx';
import { useAppWords } from './use-app-words.ts';
import { useJudge } from './use-judge.ts';

interface BlockDialogProps {
  app: ClientApp;
  onClose: () => void;
}

/** Counts what the block would end before anything can be pressed that ends it. */
export function BlockDialog({ app, onClose }: BlockDialogProps) {
  const words = useAppWords();
  const { call } = useConsole();
  // Asked once: it is what the person then agrees to.
  const [clientId] = useState(app.id);
  const dryRun = useCallback(
    () =>
      call<typeof judgeClient>('PATCH /v1/organizations/{orgId}/clients/{clientId}', {
        params: { clientId },
        body: { judgement: 'blocked', dryRun: true },
      }),
    [call, clientId],
  );
  const { query } = useQuery(dryRun);
  return (
    <Dialog title={words.block.title(formatAppName(app, words))} onClose={onClose}>
      {query.state === 'loading' && <p role="status">{words.block.counting}</p>}
      {query.state === 'error' && <RefusalNotice refusal={query.refusal} />}
      {query.state === 'loaded' && <BlockForm app={app} counted={query.data} onClose={onClose} />}
    </Dialog>
  );
}

type Judged = z.infer<(typeof judgeClient)['response']>;

function BlockForm({ app, counted, onClose }: BlockDialogProps & { counted: Judged }) {
  const words = useAppWords();
  const judge = useJudge(app.id);
  const toast = useToast();
  const { form, field } = useJudgementForm({
    async send(judging) {
      await judge({ judgement: 'blocked', ...judging });
      toast(words.block.done(formatAppName(app, words)));
      onClose();
    },
  });
  return (
    <>
      <Consequences counted={counted} />
      <Form {...form} submit={words.block.submit}>
        <JudgementFields field={field} />
      </Form>
    </>
  );
}

function Consequences({ counted: { ends, alsoCaught } }: { counted: Judged }) {
  const { block } = useAppWords();
  const { language } = useLanguage();
  return (
    <div className="stack">
      {ends.connections === 0 ? (
        <p>{block.endsNothing}</p>
      ) : (
        <>
          <p>
            <strong>
              {block.ends(
                formatCount(ends.connections, block.connections, language),
                formatCount(ends.patients, block.patients, language),
              )}
            </strong>
          </p>
          <p>{block.inLog}</p>
        </>
      )}
      {alsoCaught.length > 0 && (
        <div>
          <p>{block.alsoCaught}</p>
          <ul>
            {alsoCaught.map((app) => (
              <li key={app.id}>
                <AppName app={app} />{' '}
                {app.redirectHost !== null && <span className="soft">{app.redirectHost}</span>}
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}
