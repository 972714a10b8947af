import type { StoredEntry } from '../../../clinical/queries/clinical.sql.ts';
import { ABSENCE_NOTE, renderAllergyStatements, renderAllergyTable } from '../render/allergies.ts';
import { WINDOW_NOTE } from '../render/date-text.ts';
import { buildHistory } from '../render/history.ts';
import { renderCountedSection, renderSection, type Block } from '../render/markdown.ts';
import { HistoryWindow, resolveWindow, type Window } from '../render/window.ts';
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
      render: renderAllergySections,
    }),
});

function renderAllergySections(entries: StoredEntry<'allergy'>[], window: Window): Block {
  const stated = entries.filter(({ detail }) => detail.none);
  const inForce = entries.filter(({ detail, current }) => !detail.none && current);
  const past = entries.filter(({ detail, current }) => !detail.none && !current);
  return [
    renderCountedSection('In force', inForce, (all) => renderAllergyTable(all, window)),
    renderCountedSection('Inactive, resolved or refuted', past, (all) => renderAllergyTable(all, window)),
    stated.length === 0 ? null : renderSection('Statements', renderAllergyStatements(stated)),
    [...inForce, ...past].some(({ day }) => day !== null && day < window.from) ? WINDOW_NOTE : null,
  ];
}
