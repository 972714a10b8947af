import { createHash } from 'node:crypto';
import type { PlacedEntry } from '../records/entries.sql.ts';
import type { Entry, Measure } from '../records/entry.ts';
import { sectionsOf, splitText } from './split-text.ts';

/** What is searched: a title, and words that belong to it. */
export interface Passage {
  title: string;
  body: string;
}

export interface PlacedPassage extends Passage {
  /** Of the text and of `needs`: see `textHash`. */
  hash: Buffer;
  /** What a consent must cover for it to be shown. */
  needs: number;
  seq: number;
  ordinal: number;
}

/** 3 MB of one note; what is longer is kept and shown, its end not searched. */
const MOST_PASSAGES = 2000;
const LONGEST_TITLE = 500;

/**
 * The passages of an entry. Notes are split so that a hit is a paragraph, not forty pages. Of everything else only
 * what stays the same from one time to the next, so that 400 orders of one drug are one passage with 400 uses.
 */
export function passagesOf(entry: Entry): Passage[] {
  const title = entry.title.slice(0, LONGEST_TITLE);
  const bodies =
    entry.kind === 'note' ? sectionsOf(entry.detail.text ?? '') : splitText(factsOf(entry).join('\n'));
  const all = bodies.length === 0 ? [''] : bodies.slice(0, MOST_PASSAGES);
  return all.map((body) => ({ title, body }));
}

export const placedPassages = (entries: readonly PlacedEntry[]): PlacedPassage[] =>
  entries.flatMap(({ seq, ordinal, needs, entry }) =>
    passagesOf(entry).map((passage) => ({ ...passage, needs, hash: hashOf(passage, needs), seq, ordinal })),
  );

function hashOf({ title, body }: Passage, needs: number): Buffer {
  const hash = createHash('sha256').update(`${title}\0${body}`).digest();
  hash.writeInt32BE(needs, 28);
  return hash;
}

function factsOf(entry: Exclude<Entry, { kind: 'note' }>): string[] {
  switch (entry.kind) {
    case 'condition':
      return words(entry.detail.severity, entry.detail.note);
    case 'medication':
      return words(entry.detail.dosage, entry.detail.reason, entry.detail.prescriber, entry.detail.note);
    case 'allergy':
      return words(...entry.detail.reactions, ...entry.detail.categories, entry.detail.note);
    case 'procedure':
      return words(
        entry.detail.bodySite,
        entry.detail.reason,
        entry.detail.performer,
        entry.detail.notDoneReason,
        entry.detail.note,
      );
    case 'immunization':
      return words(entry.detail.notDoneReason, entry.detail.note);
    case 'visit':
      return words(entry.detail.class, entry.detail.reason, entry.detail.location, entry.detail.practitioner);
    case 'other':
      return words(entry.detail.text);
    default: {
      const { detail } = entry;
      const parts = detail.components.flatMap((part) => [part.label, inWords(part)]);
      return words(detail.panel, inWords(detail), ...parts, detail.note);
    }
  }
}

/** "Escherichia coli" and "Positive" are looked for, "5.40" is not, and would make a passage of every result. */
const inWords = ({ value }: Pick<Measure, 'value'>): string | null =>
  value !== null && !/^[<>=≤≥~\s]*[-+]?\d/.test(value) ? value : null;

const words = (...facts: readonly (string | null)[]): string[] => [
  ...new Set(facts.flatMap((fact) => fact?.trim() || [])),
];
