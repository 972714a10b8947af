import type { ConsentStats } from '../../../../contract/organization/organization-consents.ts';
import { formatCount, formatNumber } from '../../../kit/format-number.ts';
import { Table } from '../../../kit/table.tsx';
import { Section } from '../kit/page.tsx';
import { useLanguage } from '../words/use-words.ts';
import { useConsentWords } from './use-consent-words.ts';

/** The 18 categories, the most shared first: how many of the consents by which somebody reads include each. */
export function SharedCategories({ stats: { shared, reading, inForce } }: { stats: ConsentStats }) {
  const { charts, categories, scope } = useConsentWords();
  const { language } = useLanguage();
  const title = charts.shared(formatNumber(reading, language));
  return (
    <Section title={title}>
      {inForce > reading && (
        <p className="soft">{formatCount(inForce - reading, charts.notReading, language)}</p>
      )}
      {reading === 0 ? (
        <p className="soft">{charts.noneReading}</p>
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
                  <span className="shared-bar" style={{ width: `${(consents / reading) * 100}%` }} />
                </span>
              ),
            },
          ]}
        />
      )}
    </Section>
  );
}
