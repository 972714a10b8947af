import type { StoredEntry } from '../../../clinical/queries/clinical.sql.ts';
import { ABSENCE_NOTE, renderAllergyStatements, renderAllergyTable } from '../render/allergies.ts';
import { formatDate, WINDOW_NOTE } from '../render/date-text.ts';
import { buildHistory } from '../render/history.ts';
import { groupListed, type Listing } from '../render/listing.ts';
import { pluralize } from '../render/format-number.ts';
import { renderCountedSection, renderSection, type Block } from '../render/markdown.ts';
import { formatName } from '../render/name-text.ts';
import { HistoryWindow, resolveWindow } from '../render/window.ts';
import { defineTool } from '../tool.ts';

export const getAllergies = defineTool({
  name: 'get_allergies',
  title: 'Allergies',
  description:
    'Allergies and intolerances with reactions, whatever their date; statements such as "No known allergies" with their day.',
  input: HistoryWindow,
  isKept: true,
  run: (deps, access, input) =>
    buildHistory(deps, access, {
      title: 'Allergies and intolerances',
      plural: 'allergies or intolerances',
      subject: { kind: 'allergy', alwaysShown: 'all' },
      window: resolveWindow(deps.clock, input),
      absenceNote: ABSENCE_NOTE,
      byWeight: (one, other) => weigh(other) - weigh(one),
      render: renderAllergySections,
    }),
});

type Allergy = StoredEntry<'allergy'>;

const classifyAllergy = ({ detail, current }: Allergy): 'stated' | 'inForce' | 'past' =>
  detail.none ? 'stated' : current ? 'inForce' : 'past';

/** What may kill comes first, then what is in force. */
const weigh = ({ detail, current }: Allergy): number =>
  (current ? 2 : 0) + (detail.criticality === 'high' ? 1 : 0);

const THINGS = { noun: ['allergy', 'allergies'], getKey: ({ groupKey }: Allergy) => groupKey } as const;

function renderAllergySections(entries: Allergy[], { window, omitted }: Listing<'allergy'>): Block {
  const getGroup = groupListed(entries, omitted, classifyAllergy);
  const stated = getGroup('stated').items;
  const isBefore = ({ day, detail }: Allergy): boolean => !detail.none && day !== null && day < window.from;
  const renderTable = (all: readonly Allergy[]): Block => renderAllergyTable(all, window);
  return [
    renderCountedSection('In force', getGroup('inForce', THINGS), renderTable),
    renderGraveElsewhere(entries, omitted),
    renderCountedSection('Inactive, resolved or refuted', getGroup('past', THINGS), renderTable),
    stated.length === 0 ? null : renderSection('Statements', renderAllergyStatements(stated)),
    entries.some(isBefore) ? WINDOW_NOTE : null,
  ];
}

const MAX_GRAVE = 40;

/** Names the allergies in force that may kill and that the next answers list: a reader may stop at this one. */
function renderGraveElsewhere(entries: readonly Allergy[], omitted: readonly Allergy[]): string | null {
  const listed = new Set(entries.map(THINGS.getKey));
  const grave = omitted.filter(
    ({ current, detail, groupKey }) =>
      current && !detail.none && detail.criticality === 'high' && !listed.has(groupKey),
  );
  const [...things] = Map.groupBy(grave, THINGS.getKey).values();
  if (things.length === 0) return null;
  const names = things
    .slice(0, MAX_GRAVE)
    .map(([first]) => first && `${formatName(first.title, 80)} (${formatDate(first)})`);
  const rest = things.length > MAX_GRAVE ? `; and ${pluralize(things.length - MAX_GRAVE, 'other')}` : '';
  return `Of high criticality, and not listed here: ${names.join('; ')}${rest}.`;
}
