import type { Kind } from '../../../clinical/entries/entry.ts';
import type { OtherKind } from '../../../clinical/entries/other-kinds.ts';
import type { Cluster } from '../../../clinical/search/cluster-hits.ts';
import { escapeInline } from './escape-markdown.ts';

/** The first results say which kinds answer; the rest only adds to them. */
const LEADING = 5;
const MAX_TOOLS = 2;
const MAX_NAMES = 5;

const TOOLS: Readonly<Record<Exclude<Kind, OtherKind | 'note' | 'lab' | 'vital'>, string>> = {
  condition: 'get_conditions',
  medication: 'get_medications',
  allergy: 'get_allergies',
  procedure: 'get_procedures',
  immunization: 'get_immunizations',
  visit: 'get_visits',
};

/** Names the tools, with arguments, that show all of what the first results are of. */
export function renderShowAll(clusters: readonly Cluster[]): string | null {
  const kinds = [...new Set(clusters.slice(0, LEADING).map(({ hit }) => hit.entry.kind))];
  const calls = kinds.flatMap((kind) => renderCall(kind, clusters) ?? []).slice(0, MAX_TOOLS);
  return calls.length === 0 ? null : `All of it: ${calls.join('; ')}`;
}

function renderCall(kind: Kind, clusters: readonly Cluster[]): string | null {
  const entries = clusters.flatMap(({ hit: { entry } }) => (entry.kind === kind ? entry : []));
  if (kind === 'note') return null;
  if (kind === 'lab')
    return `get_labs {"tests": ${renderList(entries.map(({ title }) => title))}, "years": 100}`;
  if (kind === 'vital') {
    const names = entries.flatMap((entry) => (entry.kind === 'vital' ? (entry.detail.vital ?? []) : []));
    return `get_vitals {${names.length > 0 ? `"vitals": ${renderList(names)}, ` : ''}"years": 100}`;
  }
  return kind in TOOLS
    ? `${TOOLS[kind as keyof typeof TOOLS]} {"years": 100}`
    : `get_other_records {"kind": "${kind}", "years": 100}`;
}

const renderList = (names: readonly string[]): string =>
  `[${[...new Set(names)]
    .slice(0, MAX_NAMES)
    .map((name) => escapeInline(JSON.stringify(name), 120))
    .join(', ')}]`;
