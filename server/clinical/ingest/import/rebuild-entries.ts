import type { BatchId, DataMask, PatientId } from '../../../../contract/brands.ts';
import { maybeOne, type Db } from '../../../platform/db/db.ts';
import type { Clock } from '../../../platform/kernel/clock.ts';
import { createAnnotator } from '../../concepts/annotate.ts';
import type { Vocabulary } from '../../concepts/vocabulary.ts';
import { combineMasks, intersectMasks, NO_LABELS } from '../../../consent/access/sensitivity-labels.ts';
import { spreadVisitLabels, type VisitNode } from '../../labels/visits.ts';
import { createWordClassifier } from '../../labels/word-classifier.ts';
import { findStatements } from '../../labels/contents.sql.ts';
import {
  createBinaryFindings,
  createBinaryLoader,
  findAffectedByBinaries,
  limitBinaryBytes,
  type BinaryFindings,
} from './attached-binaries.ts';
import { createTextLoader, type ExtractText } from './attachment-texts.ts';
import { endHiding, findRemovalTime } from '../../store/batch-resources.sql.ts';
import { PARTY_TYPES } from '../../store/party-types.ts';
import { READING_VERSION } from '../../store/reading-version.ts';
import { updateReadingVersion } from '../../store/records.sql.ts';
import { prepareLabeledEntries, type LabelingInput } from './build-labeled-entries.ts';
import { upsertRequiredLabels } from '../../store/required-labels.sql.ts';
import * as statements from '../../store/resources.sql.ts';
import type { ResourceRow } from '../../store/resources.sql.ts';
import { RESTRICTED_MASK } from './inherited-masks.ts';
import { finishRebuild } from './finish-rebuild.ts';
import { loadDocumentLabels } from './inherit-from-documents.ts';
import { createPartyLoader } from './load-parties.ts';
import { createClaimNames, loadAnswersOfClaims } from './load-claims.ts';
import {
  addEarlierReferring,
  beginRun,
  createVisitLoader,
  endRun,
  loadAddedLabels,
  loadPublished,
  type PublishedNames,
  type ReferringResource,
} from './labeling-run.ts';
import { publishLabels } from './publish-labels.ts';
import { rebuildPages, type PreparedPage } from './rebuild-pages.ts';
import { shareBinaryLabels } from './share-binary-labels.ts';
import { findUnderlabeledDocuments } from '../../linkage/duplicate-notes.sql.ts';
import { RecordShrunk, replaceEntries, requireRecord, type ReplacedRecord } from './replace-entries.ts';

export interface RebuildDeps {
  db: Db;
  clock: Clock;
  /** Extracts the text of attached documents, in a sandboxed process. */
  extractText: ExtractText;
  getVocabulary: () => Vocabulary;
}

interface Scope {
  patientId: PatientId;
  batchId: BatchId | null;
  /** A batch is being written, whose end shows what it wrote. */
  isImport?: boolean;
}

const PAGE = 200;

const VISITS: statements.ResourcePageQuery['types'] = { only: ['Encounter'] };

/**
 * Entries inherit restricted classes, so resources come after those that they show or belong to: a visit shows locations and
 * people, everything else belongs to a visit. Both may be part of each other: each is labeled alone first, and they share
 * their classes when all are. Reports come after the documents that hold the same notes.
 */
const ROUNDS: readonly statements.ResourcePageQuery['types'][] = [
  { only: [...PARTY_TYPES] },
  VISITS,
  { not: [...PARTY_TYPES, 'Encounter', 'DiagnosticReport'] },
  { only: ['DiagnosticReport'] },
];

/** What a rebuild has found of labels yet. */
interface Findings extends Pick<LabelingInput, 'addedLabels' | 'categories'>, BinaryFindings {
  /** Visits, and who, where and what took part in them, until they share their labels. */
  visits: VisitNode[];
  /** The labels of resources whose parts refer to others, and to which. */
  referring: Map<number, ReferringResource>;
}

/** A rebuild in progress. */
interface Rebuild
  extends
    Omit<Scope, 'isImport'>,
    ReplacedRecord,
    Findings,
    Omit<LabelingInput, 'rows' | 'areDated' | 'getInheritedLabels' | 'published'> {
  published: PublishedNames;
}

/**
 * Rebuilds the entries of stored resources, a page in a transaction: of one batch's, or of the whole record. A reader sees each
 * resource's entries before or after, never none. Begins anew when something is taken out of the record meanwhile.
 */
export async function rebuildEntries(
  deps: RebuildDeps,
  scope: Scope,
  checkpoint: () => void = () => {},
): Promise<void> {
  for (;;) {
    try {
      return await rebuildOnce(deps, scope, checkpoint);
    } catch (error) {
      if (!(error instanceof RecordShrunk)) throw error;
    }
  }
}

async function rebuildOnce(
  { db, clock, extractText, getVocabulary }: RebuildDeps,
  scope: Scope,
  checkpoint: () => void,
): Promise<void> {
  const { patientId, isImport = false } = scope;
  const begun = await beginRun(db, patientId, { isImport });
  // What a run that did not end has written is labeled with the rest.
  const batchId = begun.isWhole ? null : scope.batchId;
  const removedAt = (await maybeOne(db, findRemovalTime(patientId)))?.removed_at ?? null;
  const stated = new Set((await db.query(findStatements(patientId))).map(({ digest }) => digest));
  const loadTexts = createTextLoader(extractText);
  const classifyWords = createWordClassifier();
  const findings = createFindings();
  const rebuild: Rebuild = {
    db,
    removedAt,
    labelingRun: begun.run,
    annotate: createAnnotator(getVocabulary),
    patientId,
    batchId,
    loadTexts,
    loadVisits: createVisitLoader({ db, patientId }),
    loadClaimNames: createClaimNames(db, patientId),
    loadParties: createPartyLoader({ db, patientId, classifyWords }),
    classifyWords,
    stated,
    published: await loadPublished(db, { patientId, isWhole: batchId === null }),
    loadBinaries: createBinaryLoader(patientId, findings.attachable),
    ...findings,
  };
  await rebuildInRounds(rebuild, checkpoint);
  await shareLabels(rebuild);
  await attachBinaries(rebuild);
  const lacking = await db.query(findUnderlabeledDocuments(patientId, RESTRICTED_MASK));
  await raiseLabels(rebuild, new Map(lacking.map((row) => [row.seq, row.required_labels])));
  if (lacking.length > 0) await shareLabels(rebuild);
  await redactReferring(rebuild);
  await finishRebuild({ db, getVocabulary }, patientId, (tx) => requireRecord(tx, rebuild));
  await publishLabels({ ...rebuild, clock });
  await endRun(rebuild, { isImport });
  if (batchId !== null) return;
  await db.query(endHiding(patientId, removedAt));
  await db.query(updateReadingVersion(patientId, READING_VERSION));
}

/** Builds the entries of each type, behind those of what they inherit from. */
async function rebuildInRounds(rebuild: Rebuild, checkpoint: () => void): Promise<void> {
  const { db, patientId, batchId } = rebuild;
  for (const types of ROUNDS) {
    const getInheritedLabels = await loadDocumentLabels(db, patientId);
    // Who and where may have the labels of visits after that round.
    const round = types === VISITS ? { ...rebuild, loadParties: createPartyLoader(rebuild) } : rebuild;
    const read = (after: number): Promise<ResourceRow[]> =>
      db.query(statements.findResources(patientId, { after, limit: PAGE, batchId, types }));
    await rebuildPages({
      read,
      prepare: (rows) => preparePage(round, { rows, getInheritedLabels }),
      replace: (page, onSent) => replaceEntries(rebuild, page, onSent),
      checkpoint,
    });
    if ('only' in types) await raiseLabels(round, spreadVisitLabels(rebuild.visits));
    if (types === VISITS) rebuild.visits.length = 0;
    // Reports inherit from documents, which inherit from their Binaries.
    if ('not' in types)
      await raiseLabels(rebuild, (await shareBinaryLabels(db, patientId, rebuild.binaries)).lacking);
  }
}

const createFindings = (): Findings => ({
  addedLabels: new Map(),
  categories: new Map(),
  visits: [],
  referring: new Map(),
  ...createBinaryFindings(),
});

async function preparePage(
  { db, patientId, ...rebuild }: Rebuild,
  input: Pick<LabelingInput, 'rows' | 'getInheritedLabels'>,
): Promise<PreparedPage> {
  const seqs = input.rows.map(({ seq }) => seq);
  const binaries = new Set(input.rows.flatMap((row) => (row.resource_type === 'Binary' ? row.seq : [])));
  const build = await prepareLabeledEntries(db, patientId, {
    ...rebuild,
    ...input,
    // An import has stored them.
    areDated: rebuild.batchId !== null,
  });
  return {
    seqs,
    build() {
      const labeled = build();
      for (const { seq, requiredLabels: labels, targets } of labeled.requiredLabels) {
        if (binaries.has(seq)) rebuild.binaries.set(seq, labels);
        if (targets.length > 0) rebuild.referring.set(seq, { labels, targets });
      }
      for (const { seq, binaries: named } of labeled.contents) if (named.length > 0) rebuild.naming.add(seq);
      rebuild.visits.push(...labeled.visits);
      const requiredLabels = labeled.requiredLabels.filter(({ seq }) => !binaries.has(seq));
      return { seqs, ...labeled, requiredLabels };
    },
  };
}

/** Stores the labels of Binaries, and the classes that resources share with the Binaries they name. */
async function shareLabels(rebuild: Rebuild): Promise<void> {
  const { db, patientId, binaries: own } = rebuild;
  const { binaries, lacking, changed } = await shareBinaryLabels(db, patientId, own);
  for (const seq of changed) rebuild.relabeled.add(seq);
  const requiredLabels = [...binaries].map(([seq, mask]) => ({
    seq,
    requiredLabels: mask,
    redactions: null,
  }));
  if (requiredLabels.length > 0)
    await db.tx(async (tx) => {
      await requireRecord(tx, rebuild);
      await tx.query(upsertRequiredLabels(patientId, requiredLabels));
    });
  await raiseLabels(rebuild, lacking);
}

/** Builds notes once more whose text is in a Binary, when the labels of both are known, and those that may have its text no more. */
async function attachBinaries(rebuild: Rebuild): Promise<void> {
  const affected = await findAffectedByBinaries(rebuild);
  await raiseLabels(rebuild, affected);
  // A resource in the content of a Binary adds its category to what names that.
  if (affected.size > 0) await shareLabels(rebuild);
}

/** Of what names each other, as Provenances do. */
const MAX_CHAIN = 12;

/**
 * Redacts what refers to resources that require more than the category of their type, or was redacted because of what they
 * required before: their labels are known when all others are. A resource that lists ten results, of which one is restricted, names
 * nine to those who do not see that one. What requires more itself then is redacted where others name it, and so on: a Provenance of
 * a Provenance, up to `MAX_CHAIN` of them, since each costs a look at all labels.
 */
async function redactReferring(rebuild: Rebuild): Promise<void> {
  const { published } = rebuild;
  const referring =
    rebuild.batchId === null ? rebuild.referring : await addEarlierReferring(rebuild, rebuild.referring);
  const wanted = new Set(referring.values().flatMap(({ targets }) => targets));
  const answers = await loadAnswersOfClaims(rebuild);
  // What earlier resources name besides is as it was.
  const hasEarlier = referring.size > rebuild.referring.size || answers.length > 0;
  let raised = new Map(answers);
  for (let before = published.addedLabels, round = 0; round < MAX_CHAIN; round++) {
    const added = await loadAddedLabels(rebuild, wanted);
    const getChanged = (name: string): DataMask => {
      const [old, current] = [before.get(name) ?? NO_LABELS, added.get(name) ?? NO_LABELS];
      return round === 0 || old !== current ? combineMasks(old, current) : NO_LABELS;
    };
    for (const [seq, { labels, targets }] of referring)
      if (targets.some((name) => (getChanged(name) & ~labels) !== 0))
        raised.set(seq, intersectMasks(labels, RESTRICTED_MASK));
    if (raised.size === 0) return;
    const addedLabels = hasEarlier ? new Map([...published.addedLabels, ...added]) : added;
    await raiseLabels({ ...rebuild, addedLabels, published: { ...published, addedLabels } }, raised);
    [before, raised] = [added, new Map()];
  }
}

/** Rebuilds resources with labels beyond their own. */
async function raiseLabels(rebuild: Rebuild, labels: ReadonlyMap<number, DataMask>): Promise<void> {
  const { db, patientId } = rebuild;
  for (let left = [...labels.keys()].sort((a, b) => a - b); left.length > 0;) {
    const found = await db.query(statements.findResourcesBySeq(patientId, left.slice(0, PAGE)));
    const rows = await limitBinaryBytes(db, patientId, { rows: found, attachable: rebuild.attachable });
    const last = rows.at(-1)?.seq ?? Number.POSITIVE_INFINITY;
    left = left.filter((seq) => seq > last);
    const page = await preparePage(rebuild, {
      rows,
      getInheritedLabels: ({ seq }) => labels.get(seq) ?? NO_LABELS,
    });
    await replaceEntries(rebuild, page.build());
  }
}
