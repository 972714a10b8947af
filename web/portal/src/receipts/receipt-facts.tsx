import type { ReactNode } from 'react';
import { formatFullName } from '../../../../contract/account/person-name.ts';
import type { Language } from '../../../kit/languages.ts';
import { formatClientName } from '../../../patient/client-name.ts';
import type { Person } from '../../../patient/account-api.ts';
import type { ReceiptContent } from '../api.ts';
import { useLanguage } from '../words/use-words.ts';
import { formatEnd } from './format-end.ts';
import { formatSigner } from './format-signer.ts';
import { OtherLanguage } from './other-language.tsx';

interface ReceiptFactsProps {
  content: ReceiptContent;
  person: Person;
  organization: string;
}

type Party = ReceiptContent['receipt']['party_identification'][number];

type Receipt = ReceiptContent['receipt'];

const findParty = ({ party_identification: parties }: Receipt, role: Party['party_role']) =>
  parties.find(({ party_role }) => party_role === role);

/** Who decided what, for whom, when, until when, and what can be done about it. */
export function ReceiptFacts({ content, person, organization }: ReceiptFactsProps) {
  const { words } = useLanguage();
  const { page } = words.myData.receipts;
  const { kind, receipt } = content;
  const representative = findParty(receipt, 'authorized_representative');
  return (
    <dl className="facts receipt-facts">
      <Fact name={page.who}>
        {kind === 'revoked' ? (
          page.byOrganization(organization)
        ) : (
          <>
            {formatFullName(person)} ({person.email})
            {representative?.party_name && `, ${formatSigner(representative.party_name, words)}`}
          </>
        )}
      </Fact>
      <TermFacts content={content} organization={organization} />
      <WordFacts receipt={receipt} />
    </dl>
  );
}

/** When, until when, for whom, and who may read. */
function TermFacts({ content: { kind, receipt }, organization }: Omit<ReceiptFactsProps, 'person'>) {
  const { words, language } = useLanguage();
  const { page } = words.myData.receipts;
  const { pii_processing: processing, event_schema: events } = receipt;
  const [purpose] = processing.purposes;
  const { title, title_language } = processing.privacy_notice;
  const app = findParty(receipt, 'recipient');
  const appName = app && formatClientName({ name: app.party_name }, words);
  const expiry = purpose?.expiry ?? null;
  const over = kind === 'refused' ? page.over : page.ended;
  return (
    <>
      <Fact name={page.when}>{formatMoment(events[0]?.event_time ?? '', language)}</Fact>
      <Fact name={page.until}>
        {expiry === null
          ? over
          : formatEnd(
              {
                expiry,
                since: events[0]?.event_time ?? '',
                limits: purpose?.recipient_limits,
                appName,
                organization,
              },
              { words, language },
            )}
      </Fact>
      <Fact name={page.toWhom}>{organization}</Fact>
      <Fact name={page.project}>
        <Quoted lang={title_language ?? processing.language}>{title}</Quoted>
        <OtherLanguage language={title_language} />
      </Fact>
      {purpose && expiry !== null && (
        <Fact name={page.mayRead}>
          {appName === undefined
            ? page.readers[purpose.purpose_type](organization)
            : page.appReads(appName, organization)}
        </Fact>
      )}
      {expiry === null && appName !== undefined && <Fact name={page.app}>{appName}</Fact>}
    </>
  );
}

/** What the person read: the purpose, who answers, how to take it back. */
function WordFacts({ receipt }: { receipt: Receipt }) {
  const { page } = useLanguage().words.myData.receipts;
  const { language, purposes } = receipt.pii_processing;
  const [purpose] = purposes;
  const contact = findParty(receipt, 'pii_controller')?.party_contact;
  if (!purpose) return null;
  return (
    <>
      {purpose.purpose !== null && (
        <Fact name={page.purpose} prose>
          <Quoted lang={purpose.purpose_language ?? language}>{purpose.purpose}</Quoted>
          <OtherLanguage language={purpose.purpose_language} />
        </Fact>
      )}
      {contact && (
        <Fact name={page.contact} prose>
          {[contact.name, contact.phone, contact.email].filter((line) => line !== null).join(', ')}
        </Fact>
      )}
      {purpose.expiry !== null && (
        <Fact name={page.takeBack} prose>
          <Quoted lang={language}>{purpose.withdrawal_method}</Quoted>
        </Fact>
      )}
      <Fact name={page.rights} prose>
        <ul className="receipt-rights" lang={language}>
          {purpose.privacy_rights.map((right) => (
            <li key={right}>{right}</li>
          ))}
        </ul>
      </Fact>
    </>
  );
}

function Fact({ name, prose = false, children }: { name: string; prose?: boolean; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className={prose ? 'facts-prose' : undefined}>{children}</dd>
    </div>
  );
}

/** What was written in the language of the decision, which the page may not have now. */
const Quoted = ({ lang, children }: { lang: string; children: string }) => (
  <span className="receipt-quoted" lang={lang}>
    {children}
  </span>
);

/** To the second and with the time zone: paper travels. */
const formatMoment = (time: string, language: Language): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'long' }).format(new Date(time));
