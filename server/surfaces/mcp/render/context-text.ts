import type { ContextFact } from '../../../clinical/entries/entry-link.ts';
import { MAX_FACT_LENGTH } from '../../../clinical/entries/context-fact.ts';
import { escapeInline, escapeValue } from './escape-markdown.ts';
import { join } from './markdown.ts';
import { formatName, formatNames } from './name-text.ts';
import { formatReference } from './reference-text.ts';

interface WithContext {
  context?: readonly ContextFact[] | null;
}

const listTitles = ({ context }: WithContext, role: ContextFact['role']): string[] =>
  (context ?? []).filter((fact) => fact.role === role).map((fact) => formatFactName(fact));

/** "Lung cancer", "Lung cancer (refuted)" */
export function formatFactName(
  { title, doubt }: Pick<ContextFact, 'title' | 'doubt'>,
  maxLength = 120,
): string {
  const name = formatName(title, maxLength);
  return doubt === undefined ? name : `${name} (${escapeInline(doubt, 80)})`;
}

/** What another resource says; of more than is kept of it beside the entry, or fits, where it is read. */
export function formatFactText(
  { text, from }: Pick<ContextFact, 'text' | 'from'>,
  maxLength: number,
): string {
  const line = escapeInline(text, maxLength);
  const isWhole = text === null || text.length <= Math.min(maxLength, MAX_FACT_LENGTH - 1);
  return isWhole ? line : `${line} (more: get_details of ${formatReference({ reference: from })})`;
}

/** The reasons that an entry gives in its own words, and the conditions of the record that it refers to; each once. */
export function formatReasons(entry: WithContext, ...own: readonly (string | null)[]): string {
  const words = own.flatMap((each) => formatNames(each, 300) || []);
  const spoken = new Set(words.flatMap((each) => each.toLowerCase().split('; ')));
  const others = listTitles(entry, 'reason').filter((title) => !spoken.has(title.toLowerCase()));
  return join([...new Set([...words, ...others])]);
}

/** "diagnosed: Pneumonia": conditions that name the visit, where it has a reason of its own and does not say the same. */
export function formatDiagnoses(entry: WithContext, reasons: string): string {
  const spoken = new Set(reasons.toLowerCase().split('; '));
  const titles = [...new Set(listTitles(entry, 'diagnosis'))].filter(
    (title) => !spoken.has(title.toLowerCase()),
  );
  return titles.length === 0 ? '' : `diagnosed: ${titles.join('; ')}`;
}

/** What the order says that an entry was done on: "ordered: Dr. Kim". */
export function formatOrder({ context }: WithContext): string {
  const texts = (context ?? []).flatMap(({ role, text }) => (role === 'order' && text !== null ? text : []));
  return texts.length === 0 ? '' : escapeValue(texts.join('; '), 200);
}
