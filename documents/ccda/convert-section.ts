import { serializeToWellFormedString } from 'slimdom';
import { convertNoteActivity, isNoteActivity, findNoteActivities } from './notes/note-activity.ts';
import { addSectionNote, addUnstatedNote } from './notes/section-note.ts';
import type { SkipReason } from './resource-list.ts';
import { findSectionKind } from './section-kinds.ts';
import { isPlanned } from './sections/clinical-status.ts';
import { planOfTreatment } from './sections/plan-of-treatment.ts';
import type { Context, CdaEntry, EntryConverter, Section, SectionKind } from './section.ts';

/**
 * Converts a section's entries, each by itself: one that cannot be read costs no other. The narrative becomes a note where
 * the entries leave it out: all of it where there are none, or not all became resources of their own, else the lines that say more.
 */
export async function convertSection(section: Section, context: Context): Promise<void> {
  const kind = findSectionKind(section);
  const first = context.resources.items.length;
  const seen = new Set<string>();
  let convertedCount = 0;
  let unconvertedCount = 0;
  for (const entry of section.entries) {
    const reason = isRepeated(entry, seen)
      ? 'duplicate'
      : await convertEntry(kind, entry, { context, section });
    if (reason === null || reason === 'part_of_another') convertedCount++;
    if (reason === 'no_form' || reason === 'failed') unconvertedCount++;
    if (reason !== null)
      context.resources.skip({ position: entry.position, section: section.code ?? '', reason });
  }
  if (convertedCount === 0 || unconvertedCount > 0) addSectionNote(section, context);
  else addUnstatedNote(section, context, context.resources.items.slice(first));
}

async function convertEntry(
  kind: SectionKind | undefined,
  entry: CdaEntry,
  { context, section }: { context: Context; section: Section },
): Promise<SkipReason | null> {
  const convert = isNoteActivity(entry.statement) ? convertNoteActivity : findConverter(kind, entry);
  if (convert === undefined) return 'no_form';
  try {
    const reason = await convert(entry, context, section);
    for (const statement of findNoteActivities(entry.statement))
      await convertNoteActivity({ statement, position: entry.position }, context, section);
    return reason;
  } catch {
    context.notices.push({
      position: entry.position,
      code: 'entry_unreadable',
      message: 'An entry of the document could not be read; the words of its section are kept as a note.',
    });
    return 'failed';
  }
}

/** Finds the converter: what shall be observed or is aimed at is no finding, whatever section it stands in. */
const findConverter = (kind: SectionKind | undefined, { statement }: CdaEntry): EntryConverter | undefined =>
  kind !== undefined &&
  statement.localName === 'observation' &&
  !/^(procedures|anesthesia)$/.test(kind.name) &&
  isPlanned(statement)
    ? planOfTreatment.convert
    : kind?.convert;

/** Says whether the same statement, word for word, was in the section before. */
function isRepeated({ statement }: CdaEntry, seen: Set<string>): boolean {
  const text = serializeToWellFormedString(statement).replace(/\s+/g, ' ');
  if (seen.has(text)) return true;
  seen.add(text);
  return false;
}
