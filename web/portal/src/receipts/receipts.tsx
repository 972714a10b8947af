import { useState } from 'react';
import { Icon, type IconName } from '../../../kit/icon.tsx';
import { useAppDeps } from '../app-deps.ts';
import { formatClientName } from '../../../patient/client-name.ts';
import { Screen } from '../../../patient/screen.tsx';
import { formatDateTime, formatWhenEnds } from '../../../kit/format-date.ts';
import { DownloadLink } from '../download-link.tsx';
import { useLanguage, useWords } from '../words/use-words.ts';
import type { DecisionKind, Receipt } from '../activity/decisions.ts';
import { BackToMyData } from '../back-to-my-data.tsx';
import { formatConsentKind, formatTitle, type TextContext } from '../consents/consent-name.ts';
import { formatStillReads } from '../consents/still-reads.ts';
import { Loaded } from '../loaded.tsx';
import { buildReceiptFragment } from '../route.ts';
import { usePersonQuery, type PersonProps } from '../person-query.ts';
import './receipts.css';

/** The person's decisions, each with its signed receipt. */
export function Receipts(props: PersonProps) {
  const { api } = useAppDeps();
  const { parts, receipts } = useWords().myData;
  const query = usePersonQuery(api.listMyReceipts, props);
  return (
    <Screen
      name="my-data-receipts"
      title={parts.receipts.title}
      above={<BackToMyData />}
      lead={receipts.lead}
    >
      <Loaded of={query}>{({ receipts }) => <List receipts={receipts} />}</Loaded>
      <HowToCheck />
    </Screen>
  );
}

function List({ receipts: list }: { receipts: readonly Receipt[] }) {
  const { receipts } = useWords().myData;
  if (list.length === 0) return <p>{receipts.none}</p>;
  return (
    <ul className="receipts">
      {list.map((receipt) => (
        <Card key={receipt.consentRecordId} receipt={receipt} all={list} />
      ))}
    </ul>
  );
}

const ICONS: Record<DecisionKind, IconName> = {
  given: 'check',
  changed: 'pen',
  refused: 'minus',
  withdrawn: 'stop',
  revoked: 'stop',
};

function Card({ receipt, all }: { receipt: Receipt; all: readonly Receipt[] }) {
  const { words, language } = useLanguage();
  const { receipts } = words.myData;
  const { consentRecordId, kind, decidedAt, project, screenshots } = receipt;
  const when = formatDateTime(decidedAt, language);
  return (
    <li className="receipt">
      <span className="receipt-icon">
        <Icon name={ICONS[kind]} />
      </span>
      <div className="receipt-words">
        <p className="receipt-what">
          {receipts.kinds[kind](formatConsentKind(receipt, { words, language }))}
        </p>
        <p className="small">{when}</p>
        <StillReads receipt={receipt} all={all} />
        <p className="soft small">
          {[
            formatTitle(project, { words, language }),
            ...listEnds(receipt, { words, language }),
            ...(receipt.clientName === null
              ? []
              : [receipts.requestedBy(formatClientName({ name: receipt.clientName }, words))]),
          ].join(' · ')}
        </p>
        {screenshots > 0 && (
          <p className="soft small">
            {screenshots === 1 ? receipts.screen : receipts.screens(String(screenshots))}
          </p>
        )}
        <a className="receipt-file" href={buildReceiptFragment(consentRecordId)}>
          <Icon name="receipt" />
          <span>
            {receipts.read}
            <span className="hidden-visually"> {receipts.of(when)}</span>
          </span>
        </a>
        <DownloadLink className="receipt-file" path={`/account/receipts/${consentRecordId}`}>
          <Icon name="download" />
          <span>
            {receipts.download}
            <span className="hidden-visually"> {receipts.of(when)}</span>
          </span>
        </DownloadLink>
      </div>
    </li>
  );
}

/** When the consent ends, and when it does for the app that asked where that is sooner; of a no nothing does. */
function listEnds(
  { consentStatus, until, clientUntil, clientName, decidedAt: since }: Receipt,
  { words, language }: TextContext,
): string[] {
  const { untilDay, appUntil } = words.myData.receipts;
  if (consentStatus === 'OPTED_OUT') return [];
  const format = (end: string): string => formatWhenEnds({ end, since }, language);
  if (clientUntil === null) return [untilDay(format(until))];
  return [
    untilDay(format(until)),
    appUntil(formatClientName({ name: clientName }, words), format(clientUntil)),
  ];
}

/** Beside a no: by which other consent the organization reads all the same. */
function StillReads({ receipt, all }: { receipt: Receipt; all: readonly Receipt[] }) {
  const { words, language } = useLanguage();
  const [now] = useState(() => new Date());
  const text = formatStillReads(receipt, all, { words, language, now });
  return text !== null && <p className="small">{text}</p>;
}

function HowToCheck() {
  const { baseUrl } = useAppDeps();
  const { receipts } = useWords().myData;
  const keys = `${baseUrl}/.well-known/jwks.json`;
  return (
    <section className="aside">
      <h2>{receipts.checkTitle}</h2>
      <ol className="steps">
        {receipts.check.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <p>
        <a className="link-alone" href={keys}>
          {keys}
        </a>
      </p>
    </section>
  );
}
