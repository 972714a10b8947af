import { Table } from '../../../kit/table.tsx';
import { Badge } from '../kit/badge.tsx';
import { Section } from '../kit/page.tsx';
import { States } from '../kit/states.tsx';
import { type Fact, useFacts } from './consent-facts.tsx';
import { Filmstrip } from './filmstrip.tsx';
import { ScopeTable } from './scope-table.tsx';
import { useConsentWords } from './use-consent-words.ts';
import { type Evidence, useEvidence } from './use-evidence.ts';
import { Verification } from './verification.tsx';
import { VersionWords } from './version-words.tsx';
import './evidence.css';

/** Two decisions side by side: what they say, what they cover, what was seen and read. */
export function Comparison({ evidence, otherId }: { evidence: Evidence; otherId: string }) {
  // The member has agreed that the patient sees the look at these screens.
  const other = useEvidence(otherId, true);
  return <States query={other}>{(data) => <Compared both={[evidence, data]} />}</States>;
}

function Compared({ both }: { both: readonly [Evidence, Evidence] }) {
  const { comparison, detail } = useConsentWords();
  const [first, second] = both;
  const sides = [
    { title: comparison.first, evidence: first },
    { title: comparison.second, evidence: second },
  ];
  return (
    <div className="stack stack-wide">
      <p className="soft">{comparison.onlyDifferences}</p>
      <Section title={detail.facts}>
        <div className="wide-table">
          <FactTable first={useFacts(first.record)} second={useFacts(second.record)} />
        </div>
      </Section>
      <Section title={detail.covers}>
        <div className="wide-table">
          <ScopeTable decisions={[first.record, second.record]} />
        </div>
      </Section>
      <div className="evidence-columns">
        {sides.map(({ title, evidence: { checks, pictures, record } }) => (
          <div key={title} className="stack">
            <h2>{title}</h2>
            <Verification checks={checks} />
            <Section title={detail.screens}>
              {pictures.length === 0 ? (
                <p className="soft">{detail.noScreens}</p>
              ) : (
                <Filmstrip
                  label={title}
                  pictures={pictures}
                  checks={checks}
                  interactions={record.consentStats.interactions}
                />
              )}
            </Section>
            <Section title={detail.wordsOfVersion}>
              <VersionWords record={record} />
            </Section>
          </div>
        ))}
      </div>
    </div>
  );
}

function FactTable({ first, second }: { first: readonly Fact[]; second: readonly Fact[] }) {
  const { comparison } = useConsentWords();
  const names = [...new Set([...first, ...second].map(({ name }) => name))];
  const rows = names.map((name) => ({
    name,
    first: first.find((fact) => fact.name === name),
    second: second.find((fact) => fact.name === name),
  }));
  return (
    <Table
      caption={comparison.title}
      rows={rows}
      getKey={({ name }) => name}
      empty={null}
      columns={[
        { header: comparison.field, render: (row) => (row.first ?? row.second)?.header },
        { header: comparison.first, render: (row) => row.first?.value },
        { header: comparison.second, render: (row) => row.second?.value },
        {
          header: comparison.differs,
          render: (row) =>
            row.first?.text === row.second?.text ? '' : <Badge kind="warning">{comparison.differs}</Badge>,
        },
      ]}
    />
  );
}
