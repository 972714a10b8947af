import type { RecordAccess } from '../../../consent/access/record-access.ts';
import { OTHER_KINDS } from '../../../clinical/entries/other-kinds.ts';
import { findHoldings, type Holding } from '../../../clinical/queries/summary.sql.ts';
import { renderAnswer } from './answer-text.ts';
import { formatCounts } from './date-text.ts';
import { buildDisclosure } from './disclosure.ts';
import { OTHER_KIND_NAMES } from './kind-names.ts';
import { pluralize } from './markdown.ts';
import { renderMetadataLine } from './paging.ts';
import { readForAnswer } from './read-answer.ts';
import type { ToolDeps, ToolResult } from '../tool.ts';
import type { Window } from './window.ts';
import { renderRecordName, renderWithheldNote } from './withheld-text.ts';

/** Lists which of the other kinds the record holds, whatever the window. */
export async function buildKindOverview(
  deps: ToolDeps,
  access: RecordAccess,
  window: Window,
): Promise<ToolResult> {
  const { rows, consentRecordId, withheld, pending } = await readForAnswer(deps, access, {
    holdings: findHoldings(access),
  });
  const lines = renderKinds(rows.holdings);
  const days = rows.holdings
    .filter(isOther)
    .flatMap(({ firstDay, lastDay }) => [firstDay ?? [], lastDay ?? []].flat());
  const [first] = days.sort();
  const text = renderAnswer(
    [
      '# Other records',
      pending,
      lines.length === 0 ? `${renderRecordName(withheld)} holds none of these kinds.` : lines.join('\n'),
    ],
    renderWithheldNote(withheld),
    renderMetadataLine(
      { ...window, from: first ?? window.from, before: null },
      { dated: days.slice(-1).map((day) => ({ day })), nextBeforeDate: null },
    ),
  );
  return { text, consentRecordId, audit: buildDisclosure([]) };
}

const isOther = ({ kind }: Holding): boolean => (OTHER_KINDS as readonly string[]).includes(kind);

/** "- `goal`: 12 goals, 2019-03-04 to 2021-06-01" for each kind held. */
const renderKinds = (holdings: readonly Holding[]): string[] =>
  OTHER_KINDS.flatMap((kind) => {
    const holding = holdings.find((each) => each.kind === kind);
    if (!holding) return [];
    const { entries, undated, firstDay, lastDay } = holding;
    const { singular, plural } = OTHER_KIND_NAMES[kind];
    const spread = { times: entries, dated: entries - undated, firstDay, lastDay };
    return `- \`${kind}\`: ${formatCounts([pluralize(entries, singular, plural)], spread)}`;
  });

/** "12 goals, 3 care plans": for a summary, which leaves dates to the overview. */
export const countKinds = (holdings: readonly Holding[]): string =>
  OTHER_KINDS.flatMap((kind) => {
    const holding = holdings.find((each) => each.kind === kind);
    const { singular, plural } = OTHER_KIND_NAMES[kind];
    return holding ? pluralize(holding.entries, singular, plural) : [];
  }).join(', ');
