import type { Entry } from '../../../clinical/entries/entry.ts';
import type { ContextFact } from '../../../clinical/entries/entry-link.ts';
import { isRecordEntry } from '../../../clinical/entries/other-kinds.ts';
import type { ObservationDetail } from '../../../clinical/entries/observation-detail.ts';
import { renderConditionRemarks } from './conditions.ts';
import { escapeInline, escapeValue } from './escape-markdown.ts';
import { formatFlag } from './flag-text.ts';
import { join } from './markdown.ts';
import { formatConditions, formatMeasurement, formatVital } from './measure-text.ts';
import { formatName, formatNames } from './name-text.ts';
import { formatStatus } from './status-text.ts';

type ContextualEntry = Entry & { context?: readonly ContextFact[] | null };

/** Renders what an entry holds besides its name and date, in one cell: in which sense it is so, then what it says. */
export const renderContent = (entry: ContextualEntry, today: string): string =>
  join([formatStatus(entry, today), renderFacts(entry)]);

/** The value of an observation and its flag. */
export const renderObserved = (detail: ObservationDetail): string =>
  join([formatMeasurement(detail), formatFlag(detail)]);

function renderFacts(entry: ContextualEntry): string {
  switch (entry.kind) {
    case 'vital':
      return join([formatVital(entry), formatFlag(entry.detail), formatConditions(entry)]);
    case 'lab':
    case 'social_history':
    case 'survey':
      return join([renderObserved(entry.detail), formatConditions(entry)]);
    case 'condition':
      return renderConditionRemarks(entry);
    case 'allergy':
      return escapeValue(join([...entry.detail.reactions, entry.detail.criticality]));
    case 'medication':
      return join([formatName(entry.detail.dosage), formatNames(entry.detail.reason)]);
    case 'procedure':
      return formatName(entry.detail.notDoneReason);
    case 'immunization':
      return escapeValue(join([entry.detail.notDoneReason, entry.detail.dose]));
    case 'visit':
      return join([escapeValue(entry.detail.class), formatNames(entry.detail.reason)]);
    case 'note':
      return escapeInline(entry.detail.author, 120);
    default:
      return isRecordEntry(entry) ? escapeValue(entry.detail.text, 300) : '';
  }
}
