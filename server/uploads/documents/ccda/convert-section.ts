import { serializeToWellFormedString } from 'slimdom';
import { convertNoteActivity, isNoteActivity, notesInside } from './notes/note-activity.ts';
import { sectionNote } from './notes/section-note.ts';
import type { LeftOut } from './resource-list.ts';
import { sectionKind } from './section-kinds.ts';
import type { Context, Entry, Section, SectionKind } from './section.ts';

/**
 * Reads a section's entries, each by itself: one that cannot be read costs no other. What its author wrote becomes a note
 * where the entries do not tell it: where there are none, or not all became resources of their own.
 */
export async function convertSection(section: Section, context: Context): Promise<void> {
  const kind = sectionKind(section);
  const seen = new Set<string>();
  let told = 0;
  let untold = 0;
  for (const entry of section.entries) {
    const reason = isRepeated(entry, seen)
      ? 'duplicate'
      : await convertEntry(kind, entry, { context, section });
    if (reason === null || reason === 'part_of_another') told++;
    if (reason === 'no_form' || reason === 'failed') untold++;
    if (reason !== null)
      context.resources.leaveOut({ position: entry.position, section: section.code ?? '', reason });
  }
  if (told === 0 || untold > 0) sectionNote(section, context);
}

async function convertEntry(
  kind: SectionKind | undefined,
  entry: Entry,
  { context, section }: { context: Context; section: Section },
): Promise<LeftOut | null> {
  const convert = isNoteActivity(entry.statement) ? convertNoteActivity : kind?.convert;
  if (convert === undefined) return 'no_form';
  try {
    const reason = await convert(entry, context, section);
    for (const statement of notesInside(entry.statement))
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

/** The same statement word for word, twice in a section, says no more than once. */
function isRepeated({ statement }: Entry, seen: Set<string>): boolean {
  const text = serializeToWellFormedString(statement).replace(/\s+/g, ' ');
  if (seen.has(text)) return true;
  seen.add(text);
  return false;
}
