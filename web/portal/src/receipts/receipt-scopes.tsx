import { formatWhenEnds } from '../../../kit/format-date.ts';
import { joinTitles } from '../../../kit/format-list.ts';
import { ALL_CATEGORIES, SENSITIVITIES, type Category } from '../../../patient/data/groups.ts';
import type { ReceiptContent } from '../api.ts';
import { formatLimitedClasses } from '../consents/limited-classes.ts';
import { listMissing, type SharedScopes } from '../consents/shared-scopes.ts';
import { formatSoonerEnds } from '../consents/sooner-ends.ts';
import { useLanguage } from '../words/use-words.ts';
import { OtherLanguage } from './other-language.tsx';

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
              {...{ category: byCategory.get(category), processing: receipt.pii_processing, organization }}
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
        <div>
          <dt>{page.veryPrivate}</dt>
          <dd>
            {classes.length === 0
              ? page.veryPrivateNone
              : joinTitles(classes.map((name) => data.sensitivities[name].name))}
            <LimitedClasses receipt={receipt} />
          </dd>
        </div>
        {!isOver && <AppLimits receipt={receipt} shared={{ categories: shared, sensitivities: classes }} />}
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

interface AppLimitsProps extends Pick<ReceiptContent, 'receipt'> {
  shared: SharedScopes;
}

/** What the app that asked may read and what it does not get, where it gets less than the organization. */
function AppLimits({ receipt, shared }: AppLimitsProps) {
  const { words, language } = useLanguage();
  const { data, myData } = words;
  const { page } = myData.receipts;
  const limits = receipt.pii_processing.purposes[0]?.recipient_limits;
  if (limits === undefined) return null;
  const { since } = toParts(receipt);
  const got: SharedScopes = {
    categories: ALL_CATEGORIES.filter((name) => limits.pii_types.includes(name)),
    sensitivities: SENSITIVITIES.filter((name) => limits.sensitivity_scopes.includes(name)),
  };
  const names = [
    ...got.categories.map((name) => data.categories[name].name),
    ...got.sensitivities.map((name) => data.sensitivities[name].name),
  ];
  const missing = listMissing(shared, got, words);
  return (
    <>
      <div>
        <dt>{page.appLimits}</dt>
        <dd>
          {joinTitles(names)} ({page.untilDay(formatWhenEnds({ end: limits.expiry, since }, language))})
        </dd>
      </div>
      {missing.length > 0 && (
        <div>
          <dt>{page.appLess}</dt>
          <dd>{joinTitles(missing)}</dd>
        </div>
      )}
    </>
  );
}

interface PurposeProps {
  category: Purposes[number]['pii_information'][number] | undefined;
  processing: ReceiptContent['receipt']['pii_processing'];
  organization: string;
}

/** What the organization said it needs the category for. */
function Purpose({ category, processing, organization }: PurposeProps) {
  const { data } = useLanguage().words;
  if (category === undefined || category.purpose === null) return null;
  return (
    <span className="receipt-purpose small">
      <span className="soft">{data.neededFor(organization)}</span>{' '}
      <q lang={category.purpose_language ?? processing.language}>{category.purpose}</q>
      {/* Where all of it is, it is said of the title and the purpose. */}
      {processing.privacy_notice.title_language === undefined && (
        <OtherLanguage language={category.purpose_language} />
      )}
    </span>
  );
}
