import { Icon, type IconName } from '../../../../look/icon.tsx';
import { usePage } from '../../page.ts';
import { clientName } from '../../request/client-name.ts';
import { Screen } from '../../screen.tsx';
import { Loading } from '../../screens/loading.tsx';
import { lastDayOf, momentOf } from '../../words/day.ts';
import { useLanguage, useWords } from '../../words/language.tsx';
import { decisionKinds, type DecisionKind, type Receipt } from '../activity/decisions.ts';
import { BackToMyData } from '../back-to-my-data.tsx';
import { SectionFailed } from '../section-failed.tsx';
import { useMine, type Mine } from '../use-mine.ts';
import './receipts.css';

/** The person's decisions, each with what proves it. */
export function Receipts(mine: Mine) {
  const { api } = usePage();
  const { parts, receipts } = useWords().myData;
  const { asked, load } = useMine(api.receipts, mine);
  return (
    <Screen
      name="my-data-receipts"
      title={parts.receipts.title}
      above={<BackToMyData />}
      lead={receipts.lead}
    >
      {asked.state === 'loading' && <Loading />}
      {asked.state === 'troubled' && <SectionFailed trouble={asked.trouble} onRetry={() => void load()} />}
      {asked.state === 'known' && <List receipts={asked.answer.receipts} />}
      <HowToCheck />
    </Screen>
  );
}

function List({ receipts: list }: { receipts: readonly Receipt[] }) {
  const { receipts } = useWords().myData;
  const kinds = decisionKinds(list);
  if (list.length === 0) return <p>{receipts.none}</p>;
  return (
    <ul className="receipts">
      {list.map((receipt) => (
        <Card
          key={receipt.consentRecordId}
          receipt={receipt}
          kind={kinds.get(receipt.consentRecordId) ?? 'given'}
        />
      ))}
    </ul>
  );
}

const ICONS: Record<DecisionKind, IconName> = { given: 'check', changed: 'pen', 'taken-back': 'stop' };

function Card({ receipt, kind }: { receipt: Receipt; kind: DecisionKind }) {
  const { root } = usePage();
  const { words, language } = useLanguage();
  const { receipts, until } = words.myData;
  const { consentRecordId, decidedAt, organization, project, screenshots } = receipt;
  const say = { given: receipts.given, changed: receipts.changed, 'taken-back': receipts.takenBack }[kind];
  const when = momentOf(decidedAt, language);
  return (
    <li className="receipt">
      <span className="receipt-icon">
        <Icon name={ICONS[kind]} />
      </span>
      <div className="receipt-words">
        <p className="receipt-what">{say(clientName(organization, words))}</p>
        <p className="small">{when}</p>
        <p className="soft small">
          {[
            project.name,
            ...(kind === 'taken-back' ? [] : [`${until} ${lastDayOf(receipt.until, language)}`]),
            ...(receipt.clientName === null
              ? []
              : [receipts.asked(clientName({ name: receipt.clientName }, words))]),
          ].join(' · ')}
        </p>
        {screenshots > 0 && (
          <p className="soft small">
            {screenshots === 1 ? receipts.screen : receipts.screens(String(screenshots))}
          </p>
        )}
        <a className="receipt-file" href={`${root}/account/receipts/${consentRecordId}`} download>
          <Icon name="download" />
          <span>
            {receipts.download}
            <span className="hidden-visually"> {receipts.of(when)}</span>
          </span>
        </a>
      </div>
    </li>
  );
}

function HowToCheck() {
  const { root } = usePage();
  const { receipts } = useWords().myData;
  const keys = `${root}/.well-known/jwks.json`;
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
