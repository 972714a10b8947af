import type { StoredEntry } from '../../../clinical/queries/clinical.sql.ts';
import { ABSENCE_NOTE, renderAllergyStatements, renderAllergyTable } from '../render/allergies.ts';
import { WINDOW_NOTE } from '../render/date-text.ts';
import { buildHistory } from '../render/history.ts';
import { groupListed, type Listing } from '../render/listing.ts';
import { renderCountedSection, renderSection, type Block } from '../render/markdown.ts';
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
    renderCountedSection('Inactive, resolved or refuted', getGroup('past', THINGS), renderTable),
    stated.length === 0 ? null : renderSection('Statements', renderAllergyStatements(stated)),
    entries.some(isBefore) ? WINDOW_NOTE : null,
  ];
}
