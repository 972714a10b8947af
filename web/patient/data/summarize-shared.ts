import { joinTitles } from '../../kit/format-list.ts';
import type { PatientWords } from '../words/en.ts';

interface SummaryOptions<Name> {
  words: PatientWords;
  getName: (name: Name) => string;
}

/** Names each of a group, and marks those that are left out: what a collapsed group says. */
export function summarizeShared<Name>(
  names: readonly Name[],
  shared: ReadonlySet<Name>,
  { words: { data }, getName }: SummaryOptions<Name>,
): string {
  const list = (is: boolean): string[] => names.filter((name) => shared.has(name) === is).map(getName);
  const [yes, no] = [list(true), list(false)];
  return [
    ...(yes.length > 0 ? [joinTitles(yes)] : []),
    ...(no.length > 0 ? [data.notShared(joinTitles(no))] : []),
  ].join('. ');
}
