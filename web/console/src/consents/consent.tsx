import { useState } from 'react';
import { Button } from '../../../kit/button.tsx';
import type { getConsentRecord } from '../../../../contract/organization/consent-records.ts';
import { Notice } from '../../../kit/notice.tsx';
import { AsCurl } from '../kit/as-curl.tsx';
import { useCurl } from '../kit/build-curl.ts';
import { PageLink, usePathParameter } from '../kit/page-link.tsx';
import { Page } from '../kit/page.tsx';
import { States } from '../kit/states.tsx';
import { useSearch } from '../kit/use-search.ts';
import { Comparison } from './comparison.tsx';
import { ConsentEvidence } from './consent-evidence.tsx';
import { useConsentWords } from './use-consent-words.ts';
import { useEvidence } from './use-evidence.ts';

/** One decision with its evidence. Before the member has agreed that the patient sees it, nothing is loaded. */
export function Consent() {
  const consentRecordId = usePathParameter('consentRecordId');
  // Another decision is another look.
  return <ConsentById key={consentRecordId} consentRecordId={consentRecordId} />;
}

function ConsentById({ consentRecordId }: { consentRecordId: string }) {
  const { detail, comparison } = useConsentWords();
  const [isShown, setIsShown] = useState(false);
  const [{ with: otherId }] = useSearch();
  const evidence = useEvidence(consentRecordId, isShown);
  const path = `/consents/${consentRecordId}`;
  return (
    <Page
      name="consent"
      title={otherId === undefined ? detail.title : comparison.title}
      above={
        otherId === undefined ? (
          <PageLink to="/consents">{detail.back}</PageLink>
        ) : (
          <PageLink to={path}>{comparison.back}</PageLink>
        )
      }
      actions={<RecordAsCurl consentRecordId={consentRecordId} />}
    >
      {isShown ? (
        <States query={evidence}>
          {(data) =>
            otherId === undefined ? (
              <ConsentEvidence evidence={data} />
            ) : (
              <Comparison evidence={data} otherId={otherId} />
            )
          }
        </States>
      ) : (
        <Notice>
          <div className="stack">
            <p>
              <strong>{otherId === undefined ? detail.banner : comparison.banner}</strong>
            </p>
            <p>{detail.bannerLead}</p>
            <div>
              <Button variant="strong" onPress={() => setIsShown(true)}>
                {detail.show}
              </Button>
            </div>
          </div>
        </Notice>
      )}
    </Page>
  );
}

function RecordAsCurl({ consentRecordId }: { consentRecordId: string }) {
  const curl = useCurl();
  const request = { params: { consentRecordId } };
  return <AsCurl command={curl<typeof getConsentRecord>('GET /v1/consents/{consentRecordId}', request)} />;
}
