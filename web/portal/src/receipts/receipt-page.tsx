import { useCallback } from 'react';
import { Button } from '../../../kit/button.tsx';
import { Icon } from '../../../kit/icon.tsx';
import { formatClientName } from '../../../patient/client-name.ts';
import type { Person } from '../../../patient/account-api.ts';
import { Screen } from '../../../patient/screen.tsx';
import type { ReceiptContent } from '../api.ts';
import { useAppDeps } from '../app-deps.ts';
import { Loaded } from '../loaded.tsx';
import { usePersonQuery, type PersonProps } from '../person-query.ts';
import { buildPartFragment } from '../route.ts';
import { useLanguage, useWords } from '../words/use-words.ts';
import { ReceiptFacts } from './receipt-facts.tsx';
import { ReceiptProof } from './receipt-proof.tsx';
import { ReceiptScopes } from './receipt-scopes.tsx';
import { ReceiptScreens } from './receipt-screens.tsx';
import '../../../patient/section.css';
import '../parts.css';
import './receipt-page.css';
import './receipts.css';

interface ReceiptPageProps extends PersonProps {
  consentRecordId: string;
}

/** The receipt of one decision, to read, to print and to keep as PDF. It shows what the signed form says. */
export function ReceiptPage({ consentRecordId, ...props }: ReceiptPageProps) {
  const { api } = useAppDeps();
  const { receipts } = useWords().myData;
  const query = usePersonQuery(
    useCallback(() => api.getMyReceiptContent(consentRecordId), [api, consentRecordId]),
    props,
  );
  return (
    <Screen name="my-data-receipt" title={receipts.page.title} above={<BackToReceipts />}>
      <Loaded of={query} notFound={receipts.page.notFound}>
        {(content) => <Receipt content={content} person={props.person} />}
      </Loaded>
    </Screen>
  );
}

function BackToReceipts() {
  const { receipts } = useWords().myData;
  return (
    <nav className="back">
      <a href={buildPartFragment('receipts')}>
        <Icon name="backward" />
        {receipts.back}
      </a>
    </nav>
  );
}

function Receipt({ content, person }: { content: ReceiptContent; person: Person }) {
  const { words } = useLanguage();
  const { receipts, consents } = words.myData;
  const { kind, receipt, screenshots } = content;
  const organization = receipt.party_identification.find(({ party_role }) => party_role === 'pii_controller');
  const name = formatClientName({ name: organization?.party_name ?? null }, words);
  const consentType = receipt.pii_processing.purposes[0]?.purpose_type;
  return (
    <>
      <p className="lead">{receipts.kinds[kind](consentType ? consents.names[consentType](name) : name)}</p>
      <div className="not-printed stack">
        <div>
          <Button variant="strong" onPress={() => print()}>
            {receipts.page.print}
          </Button>
        </div>
        <p className="soft small">{receipts.page.printHint}</p>
      </div>
      <div>
        <ReceiptFacts content={content} person={person} organization={name} />
        <ReceiptScopes content={content} organization={name} />
        <ReceiptProof receipt={receipt} />
        <ReceiptScreens consentRecordId={receipt.record_id} screenshots={screenshots} />
      </div>
    </>
  );
}
