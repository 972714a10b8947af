import type { SourceState } from '../../../../contract/organization/source-syncs.ts';
import { formatNumber } from '../../../kit/format-number.ts';
import { useLanguage } from '../words/use-words.ts';
import { useSourceWords } from './use-source-words.ts';
import './sources.css';

/** In the order of the bar: what is well first, then what needs time, then what needs somebody. */
export const STATES = [
  'up_to_date',
  'running',
  'waiting',
  'no_match',
  'ambiguous_match',
  'needs_organization_review',
  'failed',
  'paused',
] as const satisfies readonly SourceState[];

/** How far the patients of a source are, as a bar and in words, which say all that it shows. */
export function PatientBar({ patients }: { patients: Readonly<Record<SourceState, number>> }) {
  const words = useSourceWords();
  const { language } = useLanguage();
  const shown = STATES.filter((state) => patients[state] > 0);
  if (shown.length === 0) return <span className="soft">{words.nobody}</span>;
  return (
    <div className="source-patients">
      <span className="source-bar" aria-hidden="true">
        {shown.map((state) => (
          <span
            key={state}
            className={`source-part source-part-${state}`}
            style={{ flexGrow: patients[state] }}
          />
        ))}
      </span>
      <ul className="source-states">
        {shown.map((state) => (
          <li key={state}>
            <span className={`source-key source-part-${state}`} aria-hidden="true" />
            {words.states[state]}: {formatNumber(patients[state], language)}
          </li>
        ))}
      </ul>
    </div>
  );
}
