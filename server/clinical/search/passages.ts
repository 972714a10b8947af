import type { DataMask } from '../../../contract/brands.ts';
import { hash } from 'node:crypto';
import type { Annotate } from '../concepts/annotate.ts';
import { isDenied } from '../entries/denied.ts';
import { lacksValue } from '../entries/lacks-value.ts';
import type { NewEntry } from '../entries/entries.sql.ts';
import type { Entry } from '../entries/entry.ts';
import type { Measure, ObservationDetail } from '../entries/observation-detail.ts';
import { splitSections, splitText } from './split-text.ts';

/** A unit of search: a title, and text that belongs to it. */
export interface Passage {
  title: string;
  body: string;
}

export interface PassageRow extends Passage {
  /** Hash of the text, of the required labels and of the concepts, in hex, see `extractTextHash`. */
  hash: string;
  /** Concepts in their roles, ascending. */
  concepts: readonly number[];
  /** What a consent must cover for it to be shown. */
  required_labels: DataMask;
  seq: number;
  ordinal: number;
}

/** 3 MB of one note; the rest of a longer note is stored and shown, but not searched. */
const MAX_PASSAGES = 2000;
const MAX_TITLE_LENGTH = 500;

/**
 * Builds the passages of an entry. Notes are split so that a hit is a paragraph, not forty pages. Passages of other entries
 * hold only what stays the same from one time to the next, so that 400 orders of one drug are one passage with 400 uses.
 */
export function buildPassages(entry: Entry): Passage[] {
  // A note is found by the name of its document too: "Findings" of a chest X-ray.
  const names = entry.kind === 'note' ? [entry.title, ...(entry.displays ?? [])] : [entry.title];
  const title = names.join('; ').slice(0, MAX_TITLE_LENGTH);
  const bodies =
    entry.kind === 'note' ? splitSections(entry.detail.text ?? '') : splitText(listTexts(entry).join('\n'));
  const all = bodies.length === 0 ? [''] : bodies.slice(0, MAX_PASSAGES);
  return all.map((body) => ({ title, body }));
}

/** A passage is one row for each text, its labels and its concepts: these depend on the codes too, which say what a text does not. */
export const buildPassageRows = (
  entries: readonly Omit<NewEntry, 'publishedLabels'>[],
  annotate: Annotate,
): PassageRow[] =>
  entries.flatMap(({ seq, ordinal, requiredLabels, entry }) =>
    buildPassages(entry).map((passage) => {
      const concepts = annotate({
        ...passage,
        kind: entry.kind,
        codes: listCodes(entry),
        isDenied: isDenied(entry),
      });
      return {
        ...passage,
        required_labels: requiredLabels,
        concepts,
        hash: hashPassage(distinguish(entry, passage), requiredLabels, concepts),
        seq,
        ordinal,
      };
    }),
  );

const CODE = 'code ';

const listCodes = ({ code, names = [] }: Entry): string[] => [
  ...(code === null ? [] : [code]),
  ...names.flatMap((name) => (name.startsWith(CODE) ? name.slice(CODE.length) : [])),
];

/**
 * What is said not to be so, and a measurement without a value, is another text, though it has the same words: the newest entry
 * of a text stands for all.
 */
const distinguish = (entry: Entry, { title, body }: Passage): string =>
  `${title}\0${body}${isDenied(entry) ? '\0denied' : lacksValue(entry) ? '\0without value' : ''}`;

function hashPassage(written: string, requiredLabels: DataMask, concepts: readonly number[]): string {
  const text = hash('sha256', written).slice(0, 56);
  const labels = (requiredLabels >>> 0).toString(16).padStart(8, '0');
  return concepts.length === 0 ? text + labels : text + labels + hash('sha256', concepts.join()).slice(0, 8);
}

const listTexts = (entry: Exclude<Entry, { kind: 'note' }>): string[] => [
  ...new Set([...listFacts(entry), ...(entry.displays ?? [])]),
];

/** SNOMED CT's tag of a role in a care team is no word of it: nothing is said of what the patient works. */
const OCCUPATION = / \(occupation\)/g;

function listFacts(entry: Exclude<Entry, { kind: 'note' }>): string[] {
  switch (entry.kind) {
    case 'condition':
      return collectTexts(
        entry.detail.severity,
        entry.detail.bodySite ?? null,
        entry.detail.stage ?? null,
        entry.detail.note,
      );
    case 'medication':
      return collectTexts(
        entry.detail.dosage,
        entry.detail.reason,
        entry.detail.prescriber,
        entry.detail.statusReason ?? null,
        entry.detail.note,
      );
    case 'allergy':
      return collectTexts(...entry.detail.reactions, ...entry.detail.categories, entry.detail.note);
    case 'procedure':
      return collectTexts(
        entry.detail.bodySite,
        entry.detail.reason,
        entry.detail.performer,
        entry.detail.notDoneReason,
        entry.detail.note,
      );
    case 'immunization':
      return collectTexts(entry.detail.notDoneReason, entry.detail.subpotent ?? null, entry.detail.note);
    case 'visit':
      return collectTexts(
        entry.detail.class,
        entry.detail.reason,
        entry.detail.location,
        entry.detail.practitioner,
        entry.detail.note ?? null,
      );
    case 'lab':
    case 'vital':
    case 'social_history':
    case 'survey':
      return listMeasured(entry.detail);
    case 'care_team':
      return collectTexts(entry.detail.text?.replaceAll(OCCUPATION, '') ?? null);
    default:
      return collectTexts(entry.detail.text);
  }
}

function listMeasured(detail: ObservationDetail): string[] {
  const parts = detail.components.flatMap((part) => [part.label, getTextValue(part)]);
  return collectTexts(
    getTextValue(detail),
    ...parts,
    detail.note,
    detail.specimen ?? null,
    detail.performer ?? null,
  );
}

/** Returns values in words: people search for "Escherichia coli" and "Positive"; "5.40" would make a passage of every result. */
const getTextValue = ({ value }: Pick<Measure, 'value'>): string | null =>
  value !== null && !/^[<>=≤≥~\s]*[-+]?\d/.test(value) ? value : null;

const collectTexts = (...facts: readonly (string | null)[]): string[] => [
  ...new Set(facts.flatMap((fact) => fact?.trim() || [])),
];
