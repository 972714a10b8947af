import type { DataMask, PatientId } from '../../../../contract/brands.ts';
import { combineMasks, intersectMasks, NO_LABELS } from '../../../consent/access/sensitivity-labels.ts';
import type { Db } from '../../../platform/db/db.ts';
import { findBinaryLinks, findStoredLabels, type BinaryLink } from '../../labels/contents.sql.ts';
import { findNoteKeys } from '../../linkage/duplicate-notes.sql.ts';
import { findReports } from '../../store/bodies-by-id.sql.ts';
import { RESTRICTED_MASK } from './inherited-masks.ts';

/** What changes when resources share the classes of what they have in common, by `seq`. */
export interface SharedClasses {
  /** The labels of Binaries that had other ones. */
  binaries: ReadonlyMap<number, DataMask>;
  /** The classes of resources that lack a class of what they name, or of what holds the same note. */
  lacking: ReadonlyMap<number, DataMask>;
}

/**
 * Computes the labels of the Binaries in `own`, which have these labels by their content, and of all that are named. A Binary
 * is the content of whatever names it: it requires what those require, in place of its own category, and all of them have
 * the classes of its words, in whichever order they came. A Binary that nothing names is a clinical note. A document and the
 * report that holds the same note have each other's classes: the label may stand on one of them only. What one of these brings
 * goes on to what shares something with the others.
 */
export async function shareClasses(
  db: Db,
  patientId: PatientId,
  own: ReadonlyMap<number, DataMask>,
): Promise<SharedClasses> {
  const links = await db.query(findBinaryLinks(patientId));
  const notes = await loadNotes(db, patientId);
  const named = new Set(links.map(({ binary_seq }) => binary_seq));
  const seqs = new Set([...own.keys(), ...named, ...notes.map(({ seq }) => seq)]);
  const stored = new Map(
    seqs.size === 0
      ? []
      : (await db.query(findStoredLabels(patientId, [...seqs]))).map((row) => [row.seq, row.required_labels]),
  );
  const binaries = new Map(own);
  for (const binary of named) {
    // A Binary without labels was not classified yet: it may be anything.
    const content = own.get(binary) ?? stored.get(binary) ?? RESTRICTED_MASK;
    binaries.set(binary, intersectMasks(content, RESTRICTED_MASK));
  }
  const sharing = new Map(notes.map(({ seq }) => [seq, stored.get(seq) ?? NO_LABELS]));
  for (const link of links) sharing.set(link.seq, link.required_labels);
  const classes = spreadClasses(new Map([...sharing, ...binaries]), listHeirs(links, notes));
  const getClasses = (seq: number): DataMask => classes.get(seq) ?? NO_LABELS;
  for (const binary of named) binaries.set(binary, getClasses(binary));
  for (const { binary_seq: binary, required_labels: required } of links)
    binaries.set(binary, combineMasks(binaries.get(binary) ?? NO_LABELS, required));
  return {
    binaries: new Map([...binaries].filter(([seq, mask]) => stored.get(seq) !== mask)),
    lacking: new Map(
      [...sharing].flatMap(([seq, mask]) =>
        (getClasses(seq) & ~mask) === 0 ? [] : [[seq, getClasses(seq)] as const],
      ),
    ),
  };
}

/** A document or a report by what it has in common with others. */
interface Note {
  seq: number;
  key: string;
  isDocument: boolean;
  /** False of a report that holds no note itself: a document names it. */
  isNote: boolean;
}

const NAMED = 'link DiagnosticReport/';

async function loadNotes(db: Db, patientId: PatientId): Promise<Note[]> {
  const rows = await db.query(findNoteKeys(patientId, RESTRICTED_MASK));
  const notes = rows.map(({ seq, key, is_document: isDocument }) => ({ seq, key, isDocument, isNote: true }));
  const held = new Set(notes.flatMap(({ key, isDocument }) => (isDocument ? [] : key)));
  const named = new Set(notes.flatMap(({ key }) => (key.startsWith(NAMED) && !held.has(key) ? key : [])));
  if (named.size === 0) return notes;
  const ids = [...named].map((key) => key.slice(NAMED.length));
  const reports = await db.query(findReports(patientId, ids));
  const others = reports.map(({ fhir_id: id, seq }) => ({ seq, key: `${NAMED}${id}` }));
  return [...notes, ...others.map((each) => ({ ...each, isDocument: false, isNote: false }))];
}

/** A resource, or what resources have in common. */
type Sharer = number | string;

/** Who has the classes of whom. */
function listHeirs(
  links: readonly BinaryLink[],
  notes: readonly Note[],
): ReadonlyMap<Sharer, readonly Sharer[]> {
  const heirs = new Map<Sharer, Sharer[]>();
  const add = (from: Sharer, to: Sharer): void => {
    const others = heirs.get(from);
    if (others === undefined) heirs.set(from, [to]);
    else others.push(to);
  };
  for (const { seq, binary_seq: binary } of links) {
    add(seq, binary);
    add(binary, seq);
  }
  for (const { seq, key, isDocument, isNote } of notes) {
    const [ofDocuments, ofReports] = [`documents ${key}`, `reports ${key}`];
    add(isDocument ? ofReports : ofDocuments, seq);
    if (isNote) add(seq, isDocument ? ofDocuments : ofReports);
  }
  return heirs;
}

/** Computes the classes of all that is reached from those of each. */
function spreadClasses(
  labels: ReadonlyMap<number, DataMask>,
  heirs: ReadonlyMap<Sharer, readonly Sharer[]>,
): ReadonlyMap<Sharer, DataMask> {
  const classes = new Map<Sharer, DataMask>();
  for (const [seq, mask] of labels) classes.set(seq, intersectMasks(mask, RESTRICTED_MASK));
  const pending = [...classes.keys()].filter((seq) => classes.get(seq) !== NO_LABELS);
  for (let from = pending.pop(); from !== undefined; from = pending.pop())
    for (const heir of heirs.get(from) ?? []) {
      const [own, more] = [classes.get(heir) ?? NO_LABELS, classes.get(from) ?? NO_LABELS];
      if ((more & ~own) === 0) continue;
      classes.set(heir, combineMasks(own, more));
      pending.push(heir);
    }
  return classes;
}
