import type { EntryGroup } from '../../../clinical/queries/summary.sql.ts';
import { formatCriticality } from './allergies.ts';
import { escapeInline } from './escape-markdown.ts';
import { join } from './markdown.ts';
import { formatName } from './name-text.ts';
import { formatReference } from './reference-text.ts';

const MAX_NAMES = 20;

/**
 * Names the allergies in force below an answer that holds none: one may be what was asked for under another name, and
 * "nothing found" alone is read as safe. They are no results, and stand in no table.
 */
export function renderAllergiesInForce(allergies: readonly EntryGroup<'allergy'>[]): string | null {
  if (allergies.length === 0) return null;
  const names = allergies.slice(0, MAX_NAMES).map(formatAllergy);
  const more = allergies.length - names.length;
  return [
    'No allergy that is recorded here was recognized as the one asked about, which does not say that it is safe.',
    ` Recorded are: ${names.join('; ')}${more > 0 ? `; and ${more} more` : ''}.`,
    ' All of it: get_allergies {"years": 100}',
  ].join('');
}

function formatAllergy({ title, detail, ...entry }: EntryGroup<'allergy'>): string {
  const criticality = formatCriticality({ detail });
  const facts = [
    escapeInline(detail.reactions.join(', '), 120),
    criticality === '' ? '' : `criticality ${criticality}`,
    formatReference(entry),
  ];
  return `${formatName(title, 120)} (${join(facts)})`;
}
