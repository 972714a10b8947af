import type { ConsentedAccess } from '../../../consent/access/record-access.ts';
import type { Kind } from '../../../clinical/entries/entry.ts';
import { OTHER_KINDS } from '../../../clinical/entries/other-kinds.ts';
import { findHoldings, type Holding } from '../../../clinical/queries/summary.sql.ts';
import { renderAnswer } from './answer-text.ts';
import { formatCounts } from './date-text.ts';
import { buildDisclosure } from './disclosure.ts';
import { OTHER_KIND_NAMES } from './kind-names.ts';
import { pluralize } from './format-number.ts';
import { renderMetadataLine } from './paging.ts';
import { readForAnswer } from './read-answer.ts';
import type { ToolDeps, ToolResult } from '../tool.ts';
import type { Window } from './window.ts';
import { renderRecordName, renderWithheldNote } from './withheld-text.ts';

/** Lists which of the other kinds the record holds, whatever the window. */
export async function buildKindOverview(
  deps: ToolDeps,
  access: ConsentedAccess,
  window: Window,
): Promise<ToolResult> {
  const { rows, consentRecordId, withheld, notice } = await readForAnswer(deps, access, {
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
      notice,
      lines.length === 0 ? `${renderRecordName(withheld)} holds none of these kinds.` : lines.join('\n'),
    ],
    renderWithheldNote(withheld),
    renderMetadataLine(
      { ...window, from: first ?? window.from, before: null },
      { dated: days.slice(-1).map((day) => ({ day })), nextBeforeDate: null },
    ),
  );
  return { text, consentRecordId, audit: { ...buildDisclosure([]), counted: true } };
}

const isOther = ({ kind }: Holding): boolean =>
  kind === 'note' || (OTHER_KINDS as readonly Kind[]).includes(kind);

/** "- `goal`: 12 goals, 2019-03-04 to 2021-06-01" for each kind held; notes are listed with the documents. */
const renderKinds = (holdings: readonly Holding[]): string[] =>
  OTHER_KINDS.flatMap((kind) => {
    const held = [kind, ...(kind === 'document' ? (['note'] as const) : [])].flatMap(
      (each) => holdings.find((holding) => holding.kind === each) ?? [],
    );
    const whole = sumHoldings(held, kind);
    if (whole === undefined) return [];
    const { entries, undated, firstText, lastText } = whole;
    const counts = held.map((each) => {
      const { singular, plural } = each.kind === 'note' ? NOTE_NAMES : OTHER_KIND_NAMES[kind];
      return pluralize(each.entries, singular, plural);
    });
    const spread = { times: entries, dated: entries - undated, firstDay: firstText, lastDay: lastText };
    return `- \`${kind}\`: ${formatCounts(counts, spread)}`;
  });

const NOTE_NAMES = { singular: 'letter, report or note', plural: 'letters, reports and notes' };

/** Sums up what is held of several kinds that are listed together; undefined where that is nothing. */
export function sumHoldings(held: readonly Holding[], kind: Kind): Holding | undefined {
  if (held.length === 0) return undefined;
  const days = held.flatMap(({ firstDay, lastDay }) => [firstDay ?? [], lastDay ?? []].flat()).sort();
  const texts = held.flatMap(({ firstText, lastText }) => [firstText ?? [], lastText ?? []].flat()).sort();
  return {
    kind,
    entries: held.reduce((sum, { entries }) => sum + entries, 0),
    undated: held.reduce((sum, { undated }) => sum + undated, 0),
    firstDay: days[0] ?? null,
    lastDay: days.at(-1) ?? null,
    firstText: texts[0] ?? null,
    lastText: texts.at(-1) ?? null,
  };
}

/** "12 goals, 3 care plans": for a summary, which leaves dates to the overview. */
export const countKinds = (holdings: readonly Holding[]): string =>
  OTHER_KINDS.flatMap((kind) => {
    const holding = holdings.find((each) => each.kind === kind);
    const { singular, plural } = OTHER_KIND_NAMES[kind];
    return holding ? pluralize(holding.entries, singular, plural) : [];
  }).join(', ');
