import type { ConsentType } from '../../../../contract/account/consent.ts';
import { CONTENT_FIELDS, type ContentField, type ContentTexts } from './content-fields.ts';
import { CONSENT_TYPES } from './project-data.ts';
import type { TextName, WordsDraft } from './words-draft.ts';

export interface MergedDraft {
  draft: WordsDraft;
  /** What the draft is based on from now on: what is in force, but for texts that both have changed. */
  base: WordsDraft;
  /** The texts that both have changed, each in another way; the draft has them as they were written here. */
  conflicts: TextName[];
}

interface Sides<T> {
  /** What the form began with. */
  base: T;
  /** What was written into it. */
  mine: T;
  /** What is in force now. */
  theirs: T;
}

/** Puts what was written here into what was published meanwhile: what was not touched here is as it is in force now. */
export function mergeDrafts(sides: Sides<WordsDraft>): MergedDraft {
  const texts = mergeTexts(mapSides(sides, (draft) => draft.texts));
  const own = CONSENT_TYPES.map((type) => ({
    type,
    ...mergeOwn(mapSides(sides, (draft) => draft.own[type])),
  }));
  const types = mergeTypes(mapSides(sides, (draft) => draft.types));
  return {
    draft: {
      texts: texts.merged,
      types,
      own: Object.fromEntries(own.map(({ type, merged }) => [type, merged])),
    },
    base: {
      texts: texts.base,
      types: sides.theirs.types,
      own: Object.fromEntries(own.map(({ type, base: next }) => [type, next])),
    },
    conflicts: [{ type: null, conflicts: texts.conflicts }, ...own]
      .filter(({ type }) => type === null || types.includes(type))
      .flatMap(({ type, conflicts }) => conflicts.map((field) => ({ type, field }))),
  };
}

const mapSides = <T, U>({ base, mine, theirs }: Sides<T>, map: (side: T) => U): Sides<U> => ({
  base: map(base),
  mine: map(mine),
  theirs: map(theirs),
});

interface Merged<T> {
  merged: T;
  base: T;
  conflicts: ContentField[];
}

function mergeTexts({ base, mine, theirs }: Sides<ContentTexts>): Merged<ContentTexts> {
  const merged: ContentTexts = {};
  const next: ContentTexts = {};
  const conflicts: ContentField[] = [];
  for (const field of CONTENT_FIELDS) {
    const isMine = differs(mine, base, field);
    const isConflict = isMine && differs(theirs, base, field) && differs(theirs, mine, field);
    if (isConflict) conflicts.push(field);
    copy(field, { from: isMine ? mine : theirs, to: merged });
    copy(field, { from: isConflict ? base : theirs, to: next });
  }
  return { merged, base: next, conflicts };
}

/**
 * Merges a consent's own words, which one side may have taken away. Where the other side has changed them, that of here stays, and
 * the texts are named.
 */
function mergeOwn(sides: Sides<ContentTexts | undefined>): Merged<ContentTexts | undefined> {
  const { base, mine, theirs } = sides;
  const changed = (side: ContentTexts | undefined): ContentField[] =>
    CONTENT_FIELDS.filter((field) => differs(side ?? {}, base ?? {}, field));
  if (mine !== undefined && theirs !== undefined) return mergeTexts({ base: base ?? {}, mine, theirs });
  if (mine === undefined && theirs === undefined) return { merged: mine, base: theirs, conflicts: [] };
  if (base === undefined) return { merged: mine ?? theirs, base: theirs, conflicts: [] };
  const conflicts = changed(mine ?? theirs);
  if (mine === undefined || conflicts.length > 0)
    return { merged: mine, base: conflicts.length > 0 ? base : theirs, conflicts };
  return { merged: theirs, base: theirs, conflicts };
}

/** Merges the consents that are asked for: what one side added or took out is added or taken out, in the order of here. */
function mergeTypes({ base, mine, theirs }: Sides<readonly ConsentType[]>): readonly ConsentType[] {
  if (mine.join() === base.join()) return theirs;
  const kept = mine.filter((type) => theirs.includes(type) || !base.includes(type));
  return [...kept, ...theirs.filter((type) => !base.includes(type) && !kept.includes(type))];
}

/** Whether a text says something else: space around it is not published. */
const differs = (one: ContentTexts, other: ContentTexts, field: ContentField): boolean =>
  (one[field] ?? '').trim() !== (other[field] ?? '').trim();

function copy(field: ContentField, { from, to }: { from: ContentTexts; to: ContentTexts }): void {
  const text = from[field];
  if (text !== undefined) to[field] = text;
}
