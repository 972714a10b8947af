import type { AttentionItem, listAttention } from '../../../../contract/organization/attention.ts';
import { formatNumber } from '../../../kit/format-number.ts';
import { Icon } from '../../../kit/icon.tsx';
import type { Language } from '../../../kit/languages.ts';
import { useData } from '../api/use-data.ts';
import { usePermittedPages } from '../frame/navigation.tsx';
import { useConsole } from '../api/use-console.ts';
import { formatExactTime } from '../kit/format-time.ts';
import { Section } from '../kit/page.tsx';
import { PageLink } from '../kit/page-link.tsx';
import { States } from '../kit/states.tsx';
import { useTimeZone } from '../kit/time-zone.tsx';
import { useLanguage } from '../words/use-words.ts';
import { useHomeWords } from './use-home-words.ts';
import type { HomeWords } from './words/en.ts';

const POLL_MS = 60_000;

/** What needs somebody: a sentence each, and the page where it is mended. */
export function Attention() {
  const { attention: words } = useHomeWords();
  const query = useData<typeof listAttention>(
    'GET /v1/organizations/{orgId}/attention',
    {},
    { pollMs: POLL_MS },
  );
  return (
    <Section title={words.title}>
      <States query={query}>
        {({ results }) =>
          results.length === 0 ? (
            <p className="soft">{words.nothing}</p>
          ) : (
            <ul className="attention">
              {results.map((item) => (
                <AttentionLine key={`${item.code} ${item.target} ${item.name}`} item={item} />
              ))}
            </ul>
          )
        }
      </States>
    </Section>
  );
}

function AttentionLine({ item }: { item: AttentionItem }) {
  const { attention: words } = useHomeWords();
  const { language } = useLanguage();
  const { timeZone } = useTimeZone();
  const { baseUrl } = useConsole();
  const link = words.links[item.code];
  const [path = '', query = ''] = item.target.replace(/^\/console/, '').split('?');
  const isPermitted = usePermittedPages().some((page) => page.path !== '/' && path.startsWith(page.path));
  return (
    <li className={`attention-${item.severity}`}>
      <Icon name={item.severity === 'problem' ? 'warning' : 'info'} />
      <span>{describeAttention(item, words, { language, timeZone })}</span>
      {!item.target.startsWith('/console') ? (
        <a href={baseUrl + item.target}>{link}</a>
      ) : isPermitted ? (
        <PageLink to={path} search={Object.fromEntries(new URLSearchParams(query))}>
          {link}
        </PageLink>
      ) : null}
    </li>
  );
}

/** The item as a sentence. */
export function describeAttention(
  { code, name, count, at }: AttentionItem,
  { sentences }: HomeWords['attention'],
  { language, timeZone }: { language: Language; timeZone: string | undefined },
): string {
  return sentences[code]({
    name: name ?? '',
    count: formatNumber(count ?? 0, language),
    at: at === null ? '' : formatExactTime(at, language, timeZone),
  });
}
