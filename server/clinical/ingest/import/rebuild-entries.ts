import type { BatchId, PatientId } from '../../../../contract/brands.ts';
import type { EmitUpdate } from '../../../consent/access/record-change.ts';
import { maybeOne, one, type Db } from '../../../platform/db/db.ts';
import type { Clock } from '../../../platform/kernel/clock.ts';
import { createAnnotator } from '../../concepts/annotate.ts';
import type { Vocabulary } from '../../concepts/vocabulary.ts';
import { spreadVisitLabels } from '../../labels/visits.ts';
import { createWordClassifier } from '../../labels/word-classifier.ts';
import { findStatements } from '../../labels/contents.sql.ts';
import { createBinaryLoader } from './attached-binaries.ts';
import { createTextLoader, type ExtractText } from './attachment-texts.ts';
import { endHiding, findRemovalTime } from '../../store/batch-resources.sql.ts';
import { PARTY_TYPES } from '../../store/party-types.ts';
import { READING_VERSION } from '../../store/reading-version.ts';
import { updateReadingVersion } from '../../store/records.sql.ts';
import { hasRelabeled } from '../../store/required-labels.sql.ts';
import * as statements from '../../store/resources.sql.ts';
import type { ResourceRow } from '../../store/resources.sql.ts';
import { finishRebuild } from './finish-rebuild.ts';
import { createClaimNames } from './load-claims.ts';
import { createPartyLoader, type LoadParties } from './load-parties.ts';
import { beginRun, createVisitLoader, endRun, loadPublished } from './labeling-run.ts';
import { publishLabels } from './publish-labels.ts';
import {
  clearFindings,
  createFindings,
  PAGE,
  preparePage,
  raiseLabels,
  type Rebuild,
} from './raise-labels.ts';
import { rebuildPages } from './rebuild-pages.ts';
import { RecordShrunk, replaceEntries, requireRecord } from './replace-entries.ts';
import { settleLabels } from './settle-labels.ts';

export interface RebuildDeps {
  db: Db;
  clock: Clock;
  /** Extracts the text of attached documents, in a sandboxed process. */
  extractText: ExtractText;
  getVocabulary: () => Vocabulary;
  /** Called in the transaction in which a run that no import has begun ends; absent where nobody reads meanwhile. */
  emitUpdate?: EmitUpdate;
}

interface Scope {
  patientId: PatientId;
  batchId: BatchId | null;
  /** A batch is being written, whose end shows what it wrote. */
  isImport?: boolean;
}

const VISITS: statements.ResourcePageQuery['types'] = { only: ['Encounter'] };

/**
 * Entries inherit restricted classes, so resources come after those that they show or belong to: a visit shows locations and
 * people, everything else belongs to a visit. Both may be part of each other: each is labeled alone first, and they share
 * their classes when all are.
 */
const ROUNDS: readonly statements.ResourcePageQuery['types'][] = [
  { only: [...PARTY_TYPES] },
  VISITS,
  { not: [...PARTY_TYPES, 'Encounter'] },
];

/**
 * Rebuilds the entries of stored resources, a page in a transaction: of one batch's, or of the whole record. A reader sees each
 * resource's entries before or after, never none. Begins anew when something is taken out of the record meanwhile, and with the
 * whole record when a batch changes the labels of what was there before: what names or shows that is not known by the batch.
 */
export async function rebuildEntries(
  deps: RebuildDeps,
  scope: Scope,
  checkpoint: () => void = () => {},
): Promise<void> {
  for (let isEnded = false, batchId = scope.batchId; !isEnded;) {
    try {
      isEnded = await rebuildOnce(deps, { ...scope, batchId }, checkpoint);
      batchId = null;
    } catch (error) {
      if (!(error instanceof RecordShrunk)) throw error;
    }
  }
}

/** Returns false where the whole record has to be rebuilt for the batch: the run has not ended then. */
async function rebuildOnce(
  { db, clock, extractText, getVocabulary, emitUpdate }: RebuildDeps,
  scope: Scope,
  checkpoint: () => void,
): Promise<boolean> {
  const { patientId, isImport = false } = scope;
  const begun = await beginRun(db, patientId, { isImport });
  // What a run that did not end has written is labeled with the rest.
  const batchId = begun.isWhole ? null : scope.batchId;
  const removedAt = (await maybeOne(db, findRemovalTime(patientId)))?.removed_at ?? null;
  const stated = new Set((await db.query(findStatements(patientId))).map(({ digest }) => digest));
  const loadTexts = createTextLoader(extractText);
  const findings = createFindings();
  const rebuild: BegunRebuild = {
    db,
    removedAt,
    labelingRun: begun.run,
    annotate: createAnnotator(getVocabulary),
    patientId,
    batchId,
    checkpoint,
    loadTexts,
    loadClaimNames: createClaimNames(db, patientId),
    classifyWords: createWordClassifier(),
    stated,
    published: await loadPublished(db, { patientId, isWhole: batchId === null }),
    loadBinaries: createBinaryLoader(patientId, findings.attachable),
    ...findings,
  };
  await rebuildUntilSettled(rebuild);
  if (batchId !== null && (await one(db, hasRelabeled(patientId))).has_relabeled) return false;
  await finishRebuild({ db, getVocabulary }, patientId, (tx) => requireRecord(tx, rebuild));
  await publishLabels({ ...rebuild, clock });
  await endRun({ ...rebuild, clock, emitUpdate }, { isImport });
  if (batchId !== null) return true;
  await db.query(endHiding(patientId, removedAt));
  await db.query(updateReadingVersion(patientId, READING_VERSION));
  return true;
}

/** A rebuild before what others inherit from is loaded: each pass loads it when that has its labels. */
type BegunRebuild = Omit<Rebuild, 'loadVisits' | 'loadParties'>;

/** Of what facts inherit from, and what that shares with facts. */
const MAX_PASSES = 4;

/**
 * Builds all entries, and raises labels until none is raised any more. What facts inherit from may share the classes of a Binary
 * with others, which are known when all is built: then all is built once more, with these.
 */
async function rebuildUntilSettled(begun: BegunRebuild): Promise<void> {
  for (let pass = 1; ; pass++) {
    const loading = { loadVisits: createVisitLoader(begun), loadParties: createPartyLoader(begun) };
    const rebuild: Rebuild = { ...begun, ...loading };
    await rebuildInRounds(rebuild);
    const former = new Map(rebuild.lookedUp);
    await settleLabels(rebuild);
    const isSettled = former.entries().every(([seq, labels]) => rebuild.lookedUp.get(seq) === labels);
    if (isSettled || pass === MAX_PASSES) return;
    clearFindings(rebuild);
  }
}

const loadNone: LoadParties = async () => new Map();

/** Builds the entries of each type, behind those of what they inherit from. */
async function rebuildInRounds(rebuild: Rebuild): Promise<void> {
  const { db, patientId, batchId } = rebuild;
  for (const [index, types] of ROUNDS.entries()) {
    // Nothing inherits from who and where before these are labeled, and they may have the labels of visits after these.
    const loadParties = [loadNone, createPartyLoader(rebuild)][index] ?? rebuild.loadParties;
    const round = { ...rebuild, loadParties };
    const read = (after: number): Promise<ResourceRow[]> =>
      db.query(statements.findResources(patientId, { after, limit: PAGE, batchId, types }));
    await rebuildPages({
      read,
      prepare: (rows) => preparePage(round, rows),
      replace: (page, onSent) => replaceEntries(rebuild, page, onSent),
      checkpoint: rebuild.checkpoint,
    });
    if ('only' in types) await raiseLabels(round, spreadVisitLabels(rebuild.visits));
  }
  rebuild.visits.length = 0;
}
