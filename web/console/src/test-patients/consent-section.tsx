import { useState } from 'react';
import { Button } from '../../../kit/button.tsx';
import { Notice } from '../../../kit/notice.tsx';
import { useTask } from '../../../kit/task.ts';
import { useConsole } from '../api/use-console.ts';
import { AsCurl } from '../kit/as-curl.tsx';
import { Section } from '../kit/page.tsx';
import { RefusalNotice } from '../kit/refusal-notice.tsx';
import { States } from '../kit/states.tsx';
import { useToast } from '../kit/toasts.tsx';
import { buildConsentCurl } from './agent-curl.ts';
import { ConsentDialog } from './consent-dialog.tsx';
import { useConsentInForce, useRefreshCase } from './use-agent-data.ts';
import { useScopes } from './use-scopes.ts';
import { useTestCase } from './use-test-agent.ts';
import { useTestPatientWords } from './use-test-patient-words.ts';
import { toScopesBody, type Withheld } from './withheld.ts';

const NOTHING: Withheld = new Set();

/** What the person shares in the project. */
export function ConsentSection() {
  const { consent: words } = useTestPatientWords();
  const { format, names } = useScopes();
  const { agent } = useTestCase();
  const refresh = useRefreshCase();
  const toast = useToast();
  const query = useConsentInForce();
  const { busy, refusal, run } = useTask();
  const [isOpen, setOpen] = useState(false);
  const withdraw = async () => {
    await agent.decide({ consentStatus: 'OPTED_OUT' });
    await refresh('consent');
    toast(words.withdrawn);
  };
  const inForce = query.data ?? null;
  return (
    <Section title={words.title} actions={<DecisionCurl withheld={inForce ?? NOTHING} />}>
      <States query={query}>
        {(withheld) => (
          <div className="stack">
            {withheld === null ? (
              <Notice kind="warning">{words.none}</Notice>
            ) : (
              <>
                <p>
                  {words.covers} <strong>{format(withheld)}</strong>
                </p>
                {names.classes.every((name) => withheld.has(name)) && (
                  <p className="soft">{words.unnamedClasses}</p>
                )}
              </>
            )}
            <div className="page-actions">
              <Button variant={withheld === null ? 'strong' : 'plain'} onPress={() => setOpen(true)}>
                {withheld === null ? words.give : words.change}
              </Button>
              {withheld !== null && (
                <Button busy={busy} onPress={() => run(withdraw)}>
                  {words.withdraw}
                </Button>
              )}
            </div>
          </div>
        )}
      </States>
      {refusal && <RefusalNotice refusal={refusal} />}
      {isOpen && <ConsentDialog initial={inForce ?? NOTHING} onClose={() => setOpen(false)} />}
    </Section>
  );
}

function DecisionCurl({ withheld }: { withheld: Withheld }) {
  const { names } = useScopes();
  const { agent: _, ...ids } = useTestCase();
  const { baseUrl, organization } = useConsole();
  const body = { consentStatus: 'OPTED_IN' as const, ...toScopesBody(withheld, names) };
  return <AsCurl command={buildConsentCurl({ baseUrl, organizationId: organization.id, ...ids }, body)} />;
}
