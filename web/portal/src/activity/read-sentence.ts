import type { AccessLogEntry as LogEntry } from '../../../../contract/account/access-log.ts';
import { formatList } from '../../../kit/format-list.ts';
import { formatCount } from '../../../kit/format-number.ts';
import { toEntryKind, type EntryKind } from './entry-kind.ts';
import type { SentenceContext } from './sentence-context.ts';

/** Returns the kinds that were read, or the requested kinds where the entry does not say. */
export function listKinds({ categories, tool, types }: LogEntry): readonly EntryKind[] {
  const requested = tool === null ? undefined : KIND_BY_TOOL.get(tool);
  if (categories.length > 0) return categories;
  return requested === undefined ? [...new Set(types.map(toEntryKind))] : [requested];
}

const KIND_BY_TOOL: ReadonlyMap<string, EntryKind> = new Map([
  ['get_allergies', 'ALLERGIES'],
  ['get_conditions', 'DIAGNOSES'],
  ['get_immunizations', 'IMMUNIZATIONS'],
  ['get_labs', 'LABS'],
  ['get_other_records', 'OTHER'],
  ['get_medications', 'MEDICATIONS'],
  ['get_procedures', 'PROCEDURES'],
  ['get_visits', 'VISITS'],
  ['get_vitals', 'CLINICAL_VITALS'],
  ['search_clinical_notes', 'CLINICAL_NOTES'],
]);

/** Renders a read by a tool or as FHIR: who read how much of what, or nothing of it. */
export function renderRead(entry: LogEntry, who: string, context: SentenceContext): string {
  const { activity } = context.words.myData;
  const kinds = listKinds(entry);
  const [kind, ...more] = kinds;
  if (entry.entries === 0 && entry.notShared.length > 0)
    return activity.notShared(who, formatKinds(entry.notShared, context));
  if (entry.entries === 0) return renderNothingRead(entry, who, context);
  if (kind === undefined) return renderRecordRead(entry, who, context);
  if (entry.entries === null)
    return activity.read(who, formatPeriod(formatKinds(kinds, context), entry, context));
  if (more.length === 0) {
    const what = countRead(entry.entries, activity.things[kind], context);
    return activity.read(who, formatPeriod(what, entry, context));
  }
  const entries = formatPeriod(countRead(entry.entries, activity.entries, context), entry, context);
  return activity.readEntries(who, entries, formatKinds(kinds, context));
}

/** Pages may have been read twice, so that a sum of them is no more than a bound. */
function countRead(
  count: number,
  forms: Parameters<typeof formatCount>[1],
  context: SentenceContext,
): string {
  const text = formatCount(count, forms, context.language);
  return context.isSum === true ? context.words.myData.activity.atMost(text) : text;
}

/**
 * Renders a call whose answer holds nothing of the record. It does not say that there is none: what a period or a name in the question
 * left out is not in the entry.
 */
function renderNothingRead(entry: LogEntry, who: string, context: SentenceContext): string {
  const { activity } = context.words.myData;
  if (entry.tool === 'get_details') return activity.detailsOfNone(who);
  const kinds = listKinds(entry);
  const names = kinds.length === 0 ? activity.entriesOfRecord : formatKinds(kinds, context);
  if (entry.counted) return activity.counted(who, kinds.length === 0 ? activity.yourRecord : names);
  return activity.readNone(who, formatPeriod(names, entry, context));
}

/** Renders a read of all kinds: of the whole record, or of a part. */
function renderRecordRead(entry: LogEntry, who: string, context: SentenceContext): string {
  const { activity } = context.words.myData;
  if (entry.entries === null) return activity.readRecord(who);
  const entries = countRead(entry.entries, activity.entries, context);
  return entry.whole ? activity.readAll(who, entries) : activity.readPart(who, entries);
}

export const formatKinds = (kinds: readonly EntryKind[], { words, language }: SentenceContext): string =>
  formatList(
    kinds.map((kind) => words.myData.activity.kinds[kind]),
    language,
  );

/** Adds the requested years; a window without an end ends with the year of the call. */
function formatPeriod(what: string, { from, until, at }: LogEntry, { words }: SentenceContext): string {
  const { activity } = words.myData;
  const [first, last] = [from?.slice(0, 4), (until ?? at).slice(0, 4)];
  if (first === undefined) return until === null ? what : activity.upTo(what, last);
  return first === last ? activity.fromYear(what, first) : activity.fromTo(what, first, last);
}
