import type { BatchId, DataMask, PatientId } from '../../../../contract/brands.ts';
import type { Db } from '../../../platform/db/db.ts';
import { findContextSources } from '../../entries/entry-context.sql.ts';
import { planBatchRemoval } from './plan-batch-removal.ts';
import * as brought from '../../store/batch-resources.sql.ts';
import { INHERITED } from '../../labels/inherited-labels.ts';
import type { RemovalPlan } from '../../store/plan-removal.ts';
import { collectReferences } from '../../store/references.ts';

/** What taking a batch out concerns. */
export interface RemovalScope {
  /** The labels of all that it brought. */
  requiredLabels: DataMask[];
  /** The labels of what goes, or gets earlier content back. */
  changedLabels: DataMask[];
  /** Other resources, whose entries may show something of that. */
  showing: number[];
}

/** Rows of one statement, and about how much of a record is read by one. */
const PAGE = { resources: 500, contexts: 1000, bytes: 512 * 1024 };

/**
 * Finds what taking a batch out concerns, without a lock and a page at a time. References are compared here: the database compared
 * 30,000 resources with each other for minutes, and by a regular expression for 1.5 s where few went, in which the embedded
 * engine did nothing else.
 */
export async function findRemovalScope(
  db: Db,
  { patientId, batchId, now }: { patientId: PatientId; batchId: BatchId; now: Date },
): Promise<RemovalScope> {
  const [all, changed] = [new Set<DataMask>(), new Set<DataMask>()];
  const [seqs, references] = [new Set<number>(), new Set<string>()];
  for (let after: number | undefined = 0; after !== undefined;) {
    const page: { after: number; limit: number } = { after, limit: PAGE.resources };
    const found = await db.query(brought.findBroughtResources(patientId, batchId, page));
    const rows: brought.BroughtResource[] = found.map(brought.toBroughtResource);
    const { gone, left } = await planBatchRemoval(db, { patientId, now }, rows);
    for (const { requiredLabels } of rows) all.add(requiredLabels);
    for (const row of [...gone, ...left.flatMap((each) => (each.hash === null ? [] : each.row))]) {
      changed.add(row.requiredLabels);
      seqs.add(row.seq);
      references.add(row.reference);
    }
    for (const row of await findRelabeled(db, patientId, left)) changed.add(row.requiredLabels);
    after = rows.at(-1)?.seq;
  }
  const showing = references.size === 0 ? [] : await findShowing(db, patientId, { seqs, references });
  return { requiredLabels: [...all], changedLabels: [...changed], showing };
}

/** Finds what stays as it is, and may have other labels without what the batch brought it in (loadInheritedClasses). */
async function findRelabeled(
  db: Db,
  patientId: PatientId,
  left: RemovalPlan['left'],
): Promise<brought.BroughtResource[]> {
  const rows = left.flatMap(({ row, hash }) => (hash === null ? row : []));
  if (rows.length === 0) return [];
  const seqs = rows.map(({ seq }) => seq);
  const marked = new Set(
    (await db.query(brought.findMarked(patientId, seqs, INHERITED))).map(({ seq }) => seq),
  );
  return rows.filter(({ seq }) => marked.has(seq));
}

interface Changed {
  seqs: ReadonlySet<number>;
  references: ReadonlySet<string>;
}

/** Finds the other resources that refer to those which change, and those of which these say something. */
async function findShowing(db: Db, patientId: PatientId, { seqs, references }: Changed): Promise<number[]> {
  const showing = new Set<number>();
  for (let after: number | undefined = 0; after !== undefined;) {
    const page = { after, limit: PAGE.resources, bytes: PAGE.bytes };
    const rows: { seq: number; body: string }[] = await db.query(brought.findBodiesAfter(patientId, page));
    for (const { seq, body } of rows) if (!seqs.has(seq) && refersToAny(body, references)) showing.add(seq);
    after = rows.at(-1)?.seq;
  }
  for (let after: { seq: number; ordinal: number } | undefined = { seq: 0, ordinal: 0 }; after;) {
    const rows: { seq: number; ordinal: number; sources: string[] }[] = await db.query(
      findContextSources(patientId, after, PAGE.contexts),
    );
    for (const { seq, sources } of rows)
      if (!seqs.has(seq) && sources.some((source) => references.has(source))) showing.add(seq);
    after = rows.at(-1);
  }
  return [...showing].sort((a, b) => a - b);
}

/** A reference may go on, to a version. */
const REFERENCE = /^[A-Z][A-Za-z]+\/[A-Za-z0-9.-]{1,64}/;

const refersToAny = (body: string, references: ReadonlySet<string>): boolean =>
  collectReferences(body)
    .values()
    .some((reference) => references.has(REFERENCE.exec(reference)?.[0] ?? ''));
