import type { ConsentStats } from '../../../../contract/organization/organization-consents.ts';
import { formatNumber } from '../../../kit/format-number.ts';
import { Table } from '../../../kit/table.tsx';
import { Section } from '../kit/page.tsx';
import { useLanguage } from '../words/use-words.ts';
import { useConsentWords } from './use-consent-words.ts';

/** The 18 categories, the most shared first: how many of the consents in force include each. */
export function SharedCategories({ stats: { shared, inForce } }: { stats: ConsentStats }) {
  const { charts, categories, scope } = useConsentWords();
  const { language } = useLanguage();
  const title = charts.shared(formatNumber(inForce, language));
  return (
    <Section title={title}>
      {inForce === 0 ? (
        <p className="soft">{charts.noneInForce}</p>
      ) : (
        <Table
          caption={title}
          rows={shared.toSorted((one, other) => other.consents - one.consents)}
          getKey={({ category }) => category}
          empty={null}
          columns={[
            { header: scope.category, render: ({ category }) => categories[category] },
            {
              header: charts.consents,
              numeric: true,
              render: ({ consents }) => formatNumber(consents, language),
            },
            {
              header: charts.part,
              render: ({ consents }) => (
                <span className="shared-part">
                  <span className="shared-bar" style={{ width: `${(consents / inForce) * 100}%` }} />
                </span>
              ),
            },
          ]}
        />
      )}
    </Section>
  );
}
