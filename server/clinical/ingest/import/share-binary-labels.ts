import type { DataMask, PatientId } from '../../../../contract/brands.ts';
import { combineMasks, intersectMasks, NO_LABELS } from '../../../consent/access/sensitivity-labels.ts';
import type { Db } from '../../../platform/db/db.ts';
import { findBinaryLinks, findStoredLabels } from '../../labels/contents.sql.ts';
import { RESTRICTED_MASK } from './inherited-masks.ts';

/** What changes when Binaries share the labels of the resources that name them, by `seq`. */
export interface SharedLabels {
  /** The labels of the Binaries. */
  binaries: ReadonlyMap<number, DataMask>;
  /** The classes of resources that lack a class of what they name. */
  lacking: ReadonlyMap<number, DataMask>;
  /** Binaries that had other labels. */
  changed: readonly number[];
}

/**
 * Computes the labels of the Binaries in `own`, which have these labels by their content, and of all that are named. A Binary
 * is the content of whatever names it: it requires what those require, in place of its own category, and all of them have
 * the classes of its words, in whichever order they came. A Binary that nothing names is a clinical note.
 */
export async function shareBinaryLabels(
  db: Db,
  patientId: PatientId,
  own: ReadonlyMap<number, DataMask>,
): Promise<SharedLabels> {
  const links = await db.query(findBinaryLinks(patientId));
  const labels = new Map(links.map((link) => [link.seq, link.required_labels]));
  const named = [...new Set(links.map(({ binary_seq }) => binary_seq))];
  const stored = new Map(
    (await db.query(findStoredLabels(patientId, named))).map((row) => [row.seq, row.required_labels]),
  );
  const binaries = new Map([...stored, ...own]);
  const getGroup = groupSeqs(links.map((link) => [link.seq, link.binary_seq]));
  const classes = new Map<number, DataMask>();
  const addClasses = (seq: number, mask: DataMask): unknown =>
    classes.set(
      getGroup(seq),
      combineMasks(classes.get(getGroup(seq)) ?? NO_LABELS, intersectMasks(mask, RESTRICTED_MASK)),
    );
  for (const [seq, mask] of labels) addClasses(seq, mask);
  // A Binary without labels was not classified yet: it may be anything.
  for (const binary of named) addClasses(binary, binaries.get(binary) ?? RESTRICTED_MASK);
  const getClasses = (seq: number): DataMask => classes.get(getGroup(seq)) ?? NO_LABELS;
  for (const binary of named) binaries.set(binary, getClasses(binary));
  for (const { binary_seq: binary, required_labels: required } of links)
    binaries.set(binary, combineMasks(binaries.get(binary) ?? NO_LABELS, required));
  const lacking = [...labels].flatMap(([seq, mask]) =>
    (getClasses(seq) & ~mask) === 0
      ? []
      : [[seq, combineMasks(getClasses(seq), intersectMasks(mask, RESTRICTED_MASK))] as const],
  );
  const changed = [...binaries].flatMap(([seq, mask]) => (stored.get(seq) === mask ? [] : seq));
  return { binaries, lacking: new Map(lacking), changed };
}

/** Returns a function that names the group of a `seq`: what is linked, directly or not, is one group (union-find). */
function groupSeqs(links: readonly (readonly [number, number])[]): (seq: number) => number {
  const parents = new Map<number, number>();
  const find = (seq: number): number => {
    let root = seq;
    for (let parent = parents.get(root); parent !== undefined; parent = parents.get(root)) root = parent;
    for (let at = seq; at !== root;) {
      const next = parents.get(at) ?? root;
      parents.set(at, root);
      at = next;
    }
    return root;
  };
  for (const [one, other] of links) {
    const [a, b] = [find(one), find(other)];
    if (a !== b) parents.set(a, b);
  }
  return find;
}
