import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type {
  deleteSource,
  getSource,
  Source,
  updateSource,
} from '../../../../contract/organization/sources.ts';
import { Button } from '../../../kit/button.tsx';
import { useTask } from '../../../kit/task.ts';
import { useConsole } from '../api/use-console.ts';
import { useRefresh } from '../api/use-data.ts';
import { ConfirmDialog } from '../kit/confirm-dialog.tsx';
import { Section } from '../kit/page.tsx';
import { RefusalNotice } from '../kit/refusal-notice.tsx';
import { useToast } from '../kit/toasts.tsx';
import { SourceForm } from './source-form.tsx';
import { SourceStatus } from './sources.tsx';
import { useSourceWords } from './use-source-words.ts';

const LIST = 'GET /v1/organizations/{orgId}/sources';
const ITEM = '/v1/organizations/{orgId}/sources/{sourceId}';

/** What a source is, whether it is fetched from, and its end. */
export function Settings({ source }: { source: Source }) {
  const words = useSourceWords();
  const { call } = useConsole();
  const refresh = useRefresh();
  const toast = useToast();
  return (
    <>
      <State source={source} />
      <Section title={words.settings.edit} isNarrow>
        <p className="soft">{words.settings.rematch}</p>
        <SourceForm
          submit={words.form.save}
          source={source}
          load={() => call<typeof getSource>(`GET ${ITEM}`, { params: { sourceId: source.id } })}
          onSend={async ({ baseUrl: _, ...body }) => {
            if (Object.keys(body).length > 0)
              await call<typeof updateSource>(`PATCH ${ITEM}`, { params: { sourceId: source.id }, body });
            toast(words.form.saved);
            await refresh(LIST, `GET ${ITEM}`);
          }}
        />
      </Section>
      <Remove source={source} />
    </>
  );
}

function State({ source }: { source: Source }) {
  const { settings: words } = useSourceWords();
  const { call } = useConsole();
  const { busy, refusal, run } = useTask();
  const refresh = useRefresh();
  const toast = useToast();
  const [isAsking, setIsAsking] = useState(false);
  const change = async (status: Source['status'], said: string) => {
    await call<typeof updateSource>(`PATCH ${ITEM}`, { params: { sourceId: source.id }, body: { status } });
    setIsAsking(false);
    toast(said);
    await refresh(LIST, `GET ${ITEM}`);
  };
  return (
    <Section title={words.state}>
      <div className="page-actions">
        <SourceStatus status={source.status} />
        {source.status === 'active' ? (
          <Button onPress={() => setIsAsking(true)}>{words.pause}</Button>
        ) : (
          <Button variant="strong" busy={busy} onPress={() => run(() => change('active', words.resumed))}>
            {words.resume}
          </Button>
        )}
      </div>
      {refusal && <RefusalNotice refusal={refusal} />}
      {isAsking && (
        <ConfirmDialog
          title={words.pauseTitle}
          confirm={words.pause}
          onClose={() => setIsAsking(false)}
          onConfirm={() => change('paused', words.paused)}
        >
          <p>{words.pauseText}</p>
        </ConfirmDialog>
      )}
    </Section>
  );
}

function Remove({ source }: { source: Source }) {
  const { settings: words } = useSourceWords();
  const { call } = useConsole();
  const refresh = useRefresh();
  const toast = useToast();
  const navigate = useNavigate();
  const [isAsking, setIsAsking] = useState(false);
  return (
    <Section title={words.remove}>
      <p>{words.removeText}</p>
      <div>
        <Button variant="danger" onPress={() => setIsAsking(true)}>
          {words.remove}
        </Button>
      </div>
      {isAsking && (
        <ConfirmDialog
          title={words.removeTitle}
          confirm={words.remove}
          danger
          typed={source.name}
          onClose={() => setIsAsking(false)}
          onConfirm={async () => {
            await call<typeof deleteSource>(`DELETE ${ITEM}`, { params: { sourceId: source.id } });
            toast(words.removed(source.name));
            await navigate({ to: '/sources' });
            await refresh(LIST);
          }}
        >
          <p>{words.removeText}</p>
        </ConfirmDialog>
      )}
    </Section>
  );
}
