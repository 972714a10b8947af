import { z } from 'zod';
import { readRecord } from '../../../consent/access/record-access.ts';
import { findRecordHead } from '../../../clinical/sources/record-state.sql.ts';
import {
  findGroups,
  findHoldings,
  findLatestVitals,
  findMedicationGroups,
  findDemographics,
  type EntryGroup,
  type LatestVital,
} from '../../../clinical/queries/summary.sql.ts';
import { renderDisagreements } from '../render/disagreement.ts';
import { buildDisclosure } from '../render/history.ts';
import { joinParagraphs, renderSection } from '../render/markdown.ts';
import {
  renderAllergies,
  renderConditions,
  createSummaryContext,
  renderOverview,
  renderRemainingKinds,
  renderVitals,
} from '../render/summary.ts';
import { renderMedications } from '../render/summary-medications.ts';
import { renderPerson } from '../render/summary-person.ts';
import { defineTool } from './tool.ts';
import { renderRecordName, renderWithheldNote } from '../render/withheld-text.ts';

const EMPTY_RECORD =
  'This record is still empty: no documents have been read yet. `update_and_check_recent_records` tells whether some are on their way, and where the patient can add them.';

/** In the order in which the sections above tell of them. */
const renderSummaryDisagreements = (rows: {
  conditions: EntryGroup<'condition'>[];
  medications: EntryGroup<'medication'>[];
  allergies: EntryGroup<'allergy'>[];
  vitals: LatestVital[];
}): string =>
  renderDisagreements([
    ...rows.conditions.map((group) => ({ ...group, kind: 'condition' as const, time: null })),
    ...rows.medications.map((group) => ({ ...group, kind: 'medication' as const, time: null })),
    ...rows.allergies.map((group) => ({ ...group, kind: 'allergy' as const, time: null })),
    ...rows.vitals.map((vital) => ({ ...vital, kind: 'vital' as const, status: null })),
  ]) ?? '';

export const getHealthSummary = defineTool({
  name: 'get_health_summary',
  title: 'Health summary',
  description:
    'One page of the whole record: active conditions, current and recent medications, allergies, and the latest vital signs, with what else the record holds and which tool shows it.',
  input: z.strictObject({}),
  async run(deps, access) {
    const { rows, consentRecordId, withheld } = await readRecord(deps, access, {
      conditions: findGroups(access, 'condition'),
      medications: findMedicationGroups(access),
      allergies: findGroups(access, 'allergy'),
      vitals: findLatestVitals(access),
      holdings: findHoldings(access),
      head: findRecordHead(access),
      people: findDemographics(access),
    });
    const shown = [
      ...rows.people,
      ...rows.conditions,
      ...rows.medications,
      ...rows.allergies,
      ...rows.vitals,
    ];
    const context = createSummaryContext(deps.clock.now(), withheld);
    const body =
      rows.holdings.length === 0
        ? withheld === 0
          ? EMPTY_RECORD
          : `${renderRecordName(withheld)} holds nothing.`
        : joinParagraphs(
            renderPerson(rows.people),
            renderOverview(rows.holdings, rows.head[0] ?? null),
            renderSection('Conditions', renderConditions(rows.conditions, context)),
            renderSection('Medications', renderMedications(rows.medications, context)),
            renderSection('Allergies', renderAllergies(rows.allergies, context)),
            renderSection('Latest vital signs', renderVitals(rows.vitals, context)),
            renderSection('Sources disagree', renderSummaryDisagreements(rows)),
            renderRemainingKinds(rows.holdings),
          );
    const text = joinParagraphs('# Health summary', body, renderWithheldNote(withheld));
    return { text, consentRecordId, audit: buildDisclosure(shown) };
  },
});
