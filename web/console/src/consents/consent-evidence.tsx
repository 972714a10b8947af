import type { exportEvidence } from '../../../../contract/organization/organization-consents.ts';
import { useState } from 'react';
import { Button } from '../../../kit/button.tsx';
import { Refusal } from '../../../kit/http/refusal.ts';
import { useConsole } from '../api/use-console.ts';
import { Section } from '../kit/page.tsx';
import { RefusalNotice } from '../kit/refusal-notice.tsx';
import { saveFile } from '../kit/save-file.ts';
import { useToast } from '../kit/toasts.tsx';
import { ConsentFacts } from './consent-facts.tsx';
import { Filmstrip } from './filmstrip.tsx';
import { isConsent } from './format-scope.ts';
import { OtherDecisions } from './other-decisions.tsx';
import { ScopeTable } from './scope-table.tsx';
import { useConsentWords } from './use-consent-words.ts';
import type { Evidence } from './use-evidence.ts';
import { Verification } from './verification.tsx';
import { VersionWords } from './version-words.tsx';
import './evidence.css';

/** The decision, what was seen and read, and that it is as it was. */
export function ConsentEvidence({ evidence }: { evidence: Evidence }) {
  const { detail } = useConsentWords();
  const { record, checks, pictures } = evidence;
  return (
    <div className="stack stack-wide">
      <OtherDecisions evidence={evidence}>
        <Verification checks={checks} />
        <Section title={detail.facts} actions={<Downloads evidence={evidence} />}>
          <ConsentFacts evidence={evidence} />
        </Section>
        <div className="evidence-columns evidence-columns-wide">
          <Section title={detail.screens}>
            {pictures.length === 0 ? (
              <p className="soft">{detail.noScreens}</p>
            ) : (
              <Filmstrip
                pictures={pictures}
                checks={checks}
                interactions={record.consentStats.interactions}
              />
            )}
          </Section>
          <Section title={detail.wordsOfVersion}>
            <VersionWords record={record} />
          </Section>
        </div>
        <Section title={detail.covers}>
          {isConsent(record) ? <ScopeTable decisions={[record]} /> : <p>{detail.coversNothing}</p>}
          {isConsent(record) && record.consentUIFlow === 'API' && (
            <p className="soft">{detail.unnamedClasses}</p>
          )}
        </Section>
      </OtherDecisions>
    </div>
  );
}

function Downloads({ evidence: { record, receipt } }: { evidence: Evidence }) {
  const { detail } = useConsentWords();
  const { download } = useConsole();
  const toast = useToast();
  const [state, setState] = useState<Refusal | 'busy' | null>(null);
  const saveEvidence = async () => {
    setState('busy');
    try {
      const params = { consentRecordId: record.id };
      const zip = await download<typeof exportEvidence>('GET /v1/consents/{consentRecordId}/evidence', {
        params,
      });
      saveFile(`consent-evidence-${record.id}.zip`, zip, 'application/zip');
      toast(detail.downloaded);
      setState(null);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      setState(error);
    }
  };
  return (
    <>
      <Button onPress={() => saveFile(`consent-receipt-${record.id}.jws`, receipt, 'application/jose')}>
        {detail.downloadReceipt}
      </Button>
      <Button busy={state === 'busy'} onPress={() => void saveEvidence()}>
        {detail.downloadEvidence}
      </Button>
      {state instanceof Refusal && <RefusalNotice refusal={state} />}
    </>
  );
}
