import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { z } from 'zod';
import type { testWebhook, Webhook } from '../../../../contract/webhooks/webhooks.ts';
import { Busy } from '../../../kit/busy.tsx';
import { Button } from '../../../kit/button.tsx';
import { formatNumber } from '../../../kit/format-number.ts';
import { Notice } from '../../../kit/notice.tsx';
import { SelectField } from '../../../kit/select-field.tsx';
import { useTask } from '../../../kit/task.ts';
import { useConsole } from '../api/use-console.ts';
import { useRefresh } from '../api/use-data.ts';
import { useProjects } from '../frame/project-switcher.tsx';
import { CopyCode } from '../kit/code.tsx';
import { Section } from '../kit/page.tsx';
import { PageLink } from '../kit/page-link.tsx';
import { RefusalNotice } from '../kit/refusal-notice.tsx';
import { useLanguage } from '../words/use-words.ts';
import { loadCodeSamples } from './load-code-samples.ts';
import { useWebhookWords } from './use-webhook-words.ts';

type TestResult = z.infer<(typeof testWebhook)['response']>;

/** A test at once, with what to mend in words, and code to paste. */
export function Setup({ webhook }: { webhook: Webhook }) {
  const { setup: words } = useWebhookWords();
  return (
    <>
      <TestSection webhook={webhook} />
      <CodeSection />
      <Section title={words.local}>
        <p>{words.localLead}</p>
        <CopyCode label={words.localCommand} text="npx chartgate listen" />
      </Section>
    </>
  );
}

function TestSection({ webhook }: { webhook: Webhook }) {
  const { common } = useLanguage().words;
  const { setup: words } = useWebhookWords();
  const { call } = useConsole();
  const projects = useProjects();
  const refresh = useRefresh();
  const { busy, refusal, run } = useTask();
  const [result, setResult] = useState<TestResult | null>(null);
  const send = () =>
    run(async () => {
      setResult(null);
      const params = { webhookId: webhook.id };
      setResult(
        await call<typeof testWebhook>('POST /v1/organizations/{orgId}/webhooks/{webhookId}/test', {
          params,
        }),
      );
      await refresh('GET /v1/organizations/{orgId}/webhooks/{webhookId}');
    });
  return (
    <Section title={words.test}>
      <p>{words.testLead}</p>
      {projects.length === 0 ? (
        <p>
          {words.noProject} <PageLink to="/projects">{words.toProjects}</PageLink>
        </p>
      ) : (
        <div>
          <Button variant="strong" busy={busy} onPress={send}>
            {words.test}
          </Button>
        </div>
      )}
      <Busy busy={busy} text={common.oneMoment} />
      {refusal && <RefusalNotice refusal={refusal} />}
      <div role="status">{result && <TestOutcome webhookId={webhook.id} result={result} />}</div>
    </Section>
  );
}

function TestOutcome({ webhookId, result }: { webhookId: string; result: TestResult }) {
  const { setup: words, delivery } = useWebhookWords();
  const { language } = useLanguage();
  const { fault, durationMs, response } = result.attempt;
  const link = (
    <p>
      <PageLink to={`/webhooks/${webhookId}/deliveries/${result.delivery.id}`}>{words.open}</PageLink>
    </p>
  );
  if (fault === null)
    return (
      <Notice>
        <p>{words.delivered(formatNumber(durationMs, language))}</p>
        {link}
      </Notice>
    );
  return (
    <Notice kind="danger">
      <p>
        <strong>{delivery.faults[fault].what}</strong> {response && words.answered(String(response.status))}
      </p>
      <p>{delivery.faults[fault].fix}</p>
      {link}
    </Notice>
  );
}

/** The examples of the guide, which its test runs. */
function CodeSection() {
  const { setup: words } = useWebhookWords();
  const { data = [] } = useQuery({
    queryKey: ['webhook-guide'],
    queryFn: loadCodeSamples,
    staleTime: Infinity,
  });
  const [chosen, setChosen] = useState('');
  const sample = data.find(({ name }) => name === chosen) ?? data[0];
  if (sample === undefined) return null;
  return (
    <Section title={words.code}>
      <p>{words.codeLead}</p>
      <div className="form-narrow">
        <SelectField
          name="language"
          label={words.language}
          value={sample.name}
          options={data.map(({ name }) => ({ value: name, label: name }))}
          onChange={setChosen}
        />
      </div>
      <CopyCode label={sample.name} text={sample.code} />
    </Section>
  );
}
