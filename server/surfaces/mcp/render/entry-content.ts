import type { Entry } from '../../../clinical/entries/entry.ts';
import type { ContextFact } from '../../../clinical/entries/entry-link.ts';
import { isRecordEntry } from '../../../clinical/entries/other-kinds.ts';
import { renderConditionDetails } from './conditions.ts';
import { escapeInline } from './escape-markdown.ts';
import { formatFlag } from './flag-text.ts';
import { join } from './markdown.ts';
import { formatMeasurement, formatVital } from './measure-text.ts';
import { formatName, formatNames, STATUS_NOT_RECORDED } from './name-text.ts';

/** Renders what an entry holds besides its name and date, in one cell. */
export function renderContent(entry: Entry & { context?: readonly ContextFact[] | null }): string {
  const status = escapeInline(entry.status ?? STATUS_NOT_RECORDED);
  switch (entry.kind) {
    case 'vital':
      return join([formatVital(entry), formatFlag(entry.detail)]);
    case 'lab':
    case 'social_history':
    case 'survey':
      return join([formatMeasurement(entry.detail), formatFlag(entry.detail)]);
    case 'condition':
    case 'allergy':
      return join([
        escapeInline(entry.detail.clinicalStatus ?? STATUS_NOT_RECORDED),
        entry.kind === 'condition'
          ? renderConditionDetails(entry)
          : escapeInline(join([...entry.detail.reactions, entry.detail.criticality])),
      ]);
    case 'medication':
      return join([status, formatName(entry.detail.dosage), formatNames(entry.detail.reason)]);
    case 'immunization':
      return join([entry.detail.notDone ? 'not given' : status, escapeInline(entry.detail.dose)]);
    case 'visit':
      return join([escapeInline(entry.detail.class), formatNames(entry.detail.reason)]);
    case 'note':
      return escapeInline(entry.detail.author, 120);
    default:
      return isRecordEntry(entry) ? join([status, escapeInline(entry.detail.text, 300)]) : status;
  }
}
