import { useState } from 'react';
import type { z } from 'zod';
import type { Source, testSource } from '../../../../contract/organization/sources.ts';
import { Busy } from '../../../kit/busy.tsx';
import { Button } from '../../../kit/button.tsx';
import { Notice } from '../../../kit/notice.tsx';
import { SelectField } from '../../../kit/select-field.tsx';
import { useTask } from '../../../kit/task.ts';
import { useConsole, usePermission } from '../api/use-console.ts';
import { Badge } from '../kit/badge.tsx';
import { CopyCode } from '../kit/code.tsx';
import { Section } from '../kit/page.tsx';
import { RefusalNotice } from '../kit/refusal-notice.tsx';
import { useWords } from '../words/use-words.ts';
import { useReason } from './use-reason.ts';
import { useSourceWords } from './use-source-words.ts';

type TestResult = z.infer<(typeof testSource)['response']>;

/** How this service is registered at the server, and a test that names the step which fails. */
export function Connection({ source }: { source: Source }) {
  const canManage = usePermission('sources.manage');
  return (
    <>
      {source.authentication.type === 'smart_backend_services' && (
        <Register jwksUrl={source.authentication.jwksUrl} />
      )}
      {canManage && <TestSection source={source} />}
    </>
  );
}

function Register({ jwksUrl }: { jwksUrl: string }) {
  const { connection: words } = useSourceWords();
  const guides = Object.keys(words.guide) as (keyof typeof words.guide)[];
  const [guide, setGuide] = useState<(typeof guides)[number]>('epic');
  return (
    <Section title={words.register}>
      <p>{words.registerLead}</p>
      <CopyCode label={words.keys} text={jwksUrl} />
      <SelectField
        name="guide"
        label={words.guides}
        options={guides.map((value) => ({ value, label: words.guide[value] }))}
        value={guide}
        onChange={setGuide}
      />
      <p aria-live="polite">{words.guideTexts[guide]}</p>
    </Section>
  );
}

function TestSection({ source: { id: sourceId, authentication } }: { source: Source }) {
  const { common } = useWords();
  const { connection: words } = useSourceWords();
  const { call } = useConsole();
  const { busy, refusal, run } = useTask();
  const [result, setResult] = useState<TestResult | null>(null);
  const send = () =>
    run(async () => {
      setResult(null);
      setResult(
        await call<typeof testSource>('POST /v1/organizations/{orgId}/sources/{sourceId}/test', {
          params: { sourceId },
        }),
      );
    });
  return (
    <Section title={words.test}>
      <p>{words.testLead}</p>
      <div>
        <Button variant="strong" busy={busy} onPress={send}>
          {words.test}
        </Button>
      </div>
      <Busy busy={busy} text={common.oneMoment} />
      {refusal && <RefusalNotice refusal={refusal} />}
      {result && <Result result={result} isFixed={authentication.type === 'bearer'} />}
    </Section>
  );
}

/** A fixed token is shown to nobody by this: what a server can do is open to everybody. */
function Result({ result, isFixed }: { result: TestResult; isFixed: boolean }) {
  const { connection: words } = useSourceWords();
  const describe = useReason();
  return (
    <div role="status" className="source-steps">
      <Notice kind={result.ok ? 'note' : 'warning'}>{result.ok ? words.good : words.bad}</Notice>
      <ul className="source-steps">
        {result.steps.map(({ step, ok, code, message }) => (
          <li key={step} className="source-step">
            <Badge kind={!ok ? 'danger' : step === 'token' && isFixed ? 'plain' : 'good'}>
              {words.steps[step]}
            </Badge>
            <span>
              {!ok
                ? describe(code, message)
                : step === 'token' && isFixed
                  ? words.tokenUnknown
                  : words.stepGood}
            </span>
          </li>
        ))}
      </ul>
      {result.fhirVersion !== null && (
        <p>
          {words.version(result.fhirVersion)}{' '}
          {result.everything === null ? words.noEverything : words.everything(result.everything)}{' '}
          {result.match && words.match}
        </p>
      )}
    </div>
  );
}
