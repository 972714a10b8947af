import { formatWhenEnds } from '../../../kit/format-date.ts';
import { joinTitles } from '../../../kit/format-list.ts';
import { ALL_CATEGORIES, SENSITIVITIES, type Category } from '../../../patient/data/groups.ts';
import type { ReceiptContent } from '../api.ts';
import { formatLimitedClasses } from '../consents/limited-classes.ts';
import { formatSoonerEnds } from '../consents/sooner-ends.ts';
import { useLanguage } from '../words/use-words.ts';

interface ReceiptScopesProps {
  content: ReceiptContent;
  organization: string;
}

/** What is shared and what is left out, each category in plain words; a refusal shares nothing. */
export function ReceiptScopes({ content: { kind, receipt }, organization }: ReceiptScopesProps) {
  const { data, myData } = useLanguage().words;
  const { page } = myData.receipts;
  if (kind === 'refused') return null;
  const information = receipt.pii_processing.purposes[0]?.pii_information ?? [];
  const byCategory = new Map(information.map((entry) => [entry.pii_type, entry]));
  const shared = ALL_CATEGORIES.filter((category) => byCategory.has(category));
  const leftOut = ALL_CATEGORIES.filter((category) => !byCategory.has(category));
  const classes = SENSITIVITIES.filter((name) => information[0]?.sensitivity_scopes.includes(name));
  const limits = receipt.pii_processing.purposes[0]?.recipient_limits;
  const isOver = kind === 'withdrawn' || kind === 'revoked';
  const getName = (category: Category): string => data.categories[category].name;
  return (
    <section className="receipt-section">
      <h2>{isOver ? page.wasShared : page.shared}</h2>
      <ul className="receipt-categories">
        {shared.map((category) => (
          <li key={category}>
            <strong>{getName(category)}.</strong> {data.categories[category].means}
            <Purpose
              text={byCategory.get(category)?.purpose ?? null}
              {...{ organization, lang: receipt.pii_processing.language }}
            />
          </li>
        ))}
      </ul>
      <dl className="facts receipt-facts">
        {!isOver && (
          <div>
            <dt>{page.leftOut}</dt>
            <dd>{leftOut.length === 0 ? page.nothingLeftOut : joinTitles(leftOut.map(getName))}</dd>
          </div>
        )}
        {!isOver && <SoonerEnds receipt={receipt} />}
        {limits && !isOver && <AppLimits limits={limits} since={receipt.event_schema[0]?.event_time ?? ''} />}
        <div>
          <dt>{page.veryPrivate}</dt>
          <dd>
            {classes.length === 0
              ? page.veryPrivateNone
              : joinTitles(classes.map((name) => data.sensitivities[name].name))}
            <LimitedClasses receipt={receipt} />
          </dd>
        </div>
      </dl>
    </section>
  );
}

/** The classes that are shared of some categories alone. */
function LimitedClasses({ receipt }: Pick<ReceiptContent, 'receipt'>) {
  const context = useLanguage();
  return formatLimitedClasses(toParts(receipt).parts, context).map((text) => <p key={text}>{text}</p>);
}

/** What is shared for a shorter time than the rest. */
function SoonerEnds({ receipt }: Pick<ReceiptContent, 'receipt'>) {
  const { words, language } = useLanguage();
  const ends = formatSoonerEnds(toParts(receipt), { words, language });
  if (ends.length === 0) return null;
  return (
    <div>
      <dt>{words.myData.receipts.page.endsSooner}</dt>
      <dd>
        {ends.map((text) => (
          <p key={text}>{text}</p>
        ))}
      </dd>
    </div>
  );
}

const toParts = ({ pii_processing: { purposes }, event_schema: events }: ReceiptContent['receipt']) => ({
  parts: (purposes[0]?.parts ?? []).map((part) => ({
    categories: part.pii_types,
    sensitivities: part.sensitivity_scopes,
    end: part.expiry,
  })),
  since: events[0]?.event_time ?? '',
});

type Purposes = ReceiptContent['receipt']['pii_processing']['purposes'];

/** What the app that asked may read, where that is less than what the organization may. */
function AppLimits({
  limits,
  since,
}: {
  limits: NonNullable<Purposes[number]['recipient_limits']>;
  since: string;
}) {
  const { words, language } = useLanguage();
  const { data, myData } = words;
  const names = [
    ...ALL_CATEGORIES.filter((name) => limits.pii_types.includes(name)).map(
      (name) => data.categories[name].name,
    ),
    ...SENSITIVITIES.filter((name) => limits.sensitivity_scopes.includes(name)).map(
      (name) => data.sensitivities[name].name,
    ),
  ];
  return (
    <div>
      <dt>{myData.receipts.page.appLimits}</dt>
      <dd>
        {joinTitles(names)} ({myData.until} {formatWhenEnds({ end: limits.expiry, since }, language)})
      </dd>
    </div>
  );
}

/** What the organization said it needs the category for. */
function Purpose({ text, organization, lang }: { text: string | null; organization: string; lang: string }) {
  const { data } = useLanguage().words;
  if (text === null) return null;
  return (
    <span className="receipt-purpose small">
      <span className="soft">{data.neededFor(organization)}</span> <q lang={lang}>{text}</q>
    </span>
  );
}
