import { diffWordsWithSpace } from 'diff';
import type { ReactNode } from 'react';
import type { ComparedText, Comparison } from './compare-versions.ts';
import { useDescribeField } from './use-describe-field.ts';
import { useProjectWords } from './use-project-words.ts';

interface ComparisonViewProps {
  comparison: Comparison;
  onlyChanges?: boolean;
  /** Names the two sides. */
  labels: readonly [string, string];
}

/** Two versions side by side, one above the other on a phone; what was taken out and added is marked word by word. */
export function ComparisonView({ comparison, labels, onlyChanges = false }: ComparisonViewProps) {
  const words = useProjectWords();
  const describeField = useDescribeField();
  const { texts, types, isChanged } = comparison;
  const shown = texts.filter(({ before, after }) => !onlyChanges || before !== after);
  const [before, after] = [types.before, types.after].map((list) =>
    list.map((type) => words.types[type]).join(', '),
  ) as [string, string];
  return (
    <div className="compared">
      {!isChanged && <p>{words.same}</p>}
      <div className="compared-sides compared-labels">
        <span>{labels[0]}</span>
        <span>{labels[1]}</span>
      </div>
      {shown.map((text) => (
        <ComparedPart
          key={`${text.type ?? ''} ${text.field}`}
          {...text}
          label={describeField(text.field, text.type)}
        />
      ))}
      {(before !== after || (!onlyChanges && after !== '')) && (
        <ComparedPart label={words.typesTitle} before={before} after={after} />
      )}
    </div>
  );
}

type ComparedPartProps = Pick<ComparedText, 'before' | 'after'> & { label: string; field?: string };

function ComparedPart({ label, before, after, field = '' }: ComparedPartProps) {
  const isChanged = before !== after;
  const lang = /^(en|es)\./.exec(field)?.[1];
  const { old, young } = markChanges(before, after);
  return (
    <section className={isChanged ? 'compared-part compared-changed' : 'compared-part'}>
      <h3>{label}</h3>
      <div className="compared-sides" {...(lang !== undefined && { lang })}>
        <Side text={before}>{old}</Side>
        <Side text={after}>{young}</Side>
      </div>
    </section>
  );
}

function Side({ text, children }: { text: string; children: ReactNode }) {
  const words = useProjectWords();
  return (
    <p className="compared-side">{text === '' ? <span className="soft">{words.nothing}</span> : children}</p>
  );
}

/** More than this differs: the texts are other texts, and marking words would take long and help nobody. */
const MAX_EDITS = 1500;

function markChanges(before: string, after: string): { old: ReactNode; young: ReactNode } {
  if (before === after) return { old: before, young: after };
  const changes = diffWordsWithSpace(before, after, { maxEditLength: MAX_EDITS });
  if (changes === undefined) return { old: <Removed>{before}</Removed>, young: <Added>{after}</Added> };
  return {
    old: changes.map(
      ({ value, added, removed }, index) =>
        !added && (removed ? <Removed key={index}>{value}</Removed> : <span key={index}>{value}</span>),
    ),
    young: changes.map(
      ({ value, added, removed }, index) =>
        !removed && (added ? <Added key={index}>{value}</Added> : <span key={index}>{value}</span>),
    ),
  };
}

/** Colour and line show it; screen readers, most of which leave the elements out, read a word. */
function Removed({ children }: { children: string }) {
  const { was } = useProjectWords();
  return (
    <del>
      <Hidden>{was} </Hidden>
      {children}
    </del>
  );
}

function Added({ children }: { children: string }) {
  const { is } = useProjectWords();
  return (
    <ins>
      <Hidden>{is} </Hidden>
      {children}
    </ins>
  );
}

const Hidden = ({ children }: { children: ReactNode }) => <span className="hidden-visually">{children}</span>;
