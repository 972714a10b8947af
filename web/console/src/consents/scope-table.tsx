import type { ConsentRecord } from '../../../../contract/organization/consent-records.ts';
import { Table } from '../../../kit/table.tsx';
import { Badge } from '../kit/badge.tsx';
import { coversCategory, coversClass, isConsent, listCategories, listClasses } from './format-scope.ts';
import { useConsentWords } from './use-consent-words.ts';

interface Row {
  key: string;
  label: string;
  /** Of each decision, in their order. */
  covered: readonly boolean[];
}

function useTables(decisions: readonly ConsentRecord[]): { caption: string; rows: Row[] }[] {
  const words = useConsentWords();
  return [
    {
      caption: words.scope.category,
      rows: listCategories(words).map((key) => ({
        key,
        label: words.categories[key],
        covered: decisions.map((decision) => isConsent(decision) && coversCategory(decision, key)),
      })),
    },
    {
      caption: words.scope.protectedClass,
      rows: listClasses(words).map((key) => ({
        key,
        label: words.classes[key],
        covered: decisions.map((decision) => isConsent(decision) && coversClass(decision, key)),
      })),
    },
  ];
}

/** What one decision covers, or two side by side with what differs marked. */
export function ScopeTable({ decisions }: { decisions: readonly ConsentRecord[] }) {
  const { scope, comparison } = useConsentWords();
  const headers = decisions.length === 1 ? [''] : [comparison.first, comparison.second];
  const tables = useTables(decisions);
  return (
    <div className="scope-tables">
      {tables.map(({ caption, rows }) => (
        <Table<Row>
          key={caption}
          caption={caption}
          rows={rows}
          getKey={({ key }) => key}
          empty={null}
          columns={[
            { header: caption, render: ({ label }) => label },
            ...headers.map((header, index) => ({
              header: header || scope.shared,
              render: ({ covered }: Row) =>
                covered[index] ? scope.shared : <span className="soft">{scope.notShared}</span>,
            })),
            ...(decisions.length === 1
              ? []
              : [
                  {
                    header: comparison.differs,
                    render: ({ covered }: Row) =>
                      covered[0] === covered[1] ? '' : <Badge kind="warning">{comparison.differs}</Badge>,
                  },
                ]),
          ]}
        />
      ))}
    </div>
  );
}
