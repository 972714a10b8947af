import { one, type Tx } from '../../../platform/db/db.ts';
import { resolveForwardReferences } from './resolve-forward-references.ts';
import { rebuildEntries, type RebuildDeps } from './rebuild-entries.ts';
import { hasNewDisplays } from '../../store/resources.sql.ts';
import { indexBundle, type BundleIndex } from './index-bundle.ts';
import type { ResourceAt } from './read-facts.ts';
import type { ImportTarget, PageItem } from './build-resource-inputs.ts';
import {
  createLabeledWholes,
  findInheritedLabels,
  type LabeledWholes,
  type LabelResource,
} from './label-wholes.ts';
import { createLinker } from './link-resource.ts';
import { createResourceSpool, type SpooledResource } from './resource-spool.ts';
import { settleDuplicates, type Overridden } from './settle-duplicates.ts';
import type { Counts } from './settle-known.ts';
import { writePage } from './write-page.ts';

export type ImportDeps = RebuildDeps;

export interface ImportOptions extends ImportTarget {
  /** Base URL of the server that ids without an absolute fullUrl are from, or ''. */
  origin: string;
  /** A file that does not exist yet, for the resources that were read and are not written yet. */
  spoolFile: string;
  signal: AbortSignal;
  /** What resources lie in, known when all of them were read; absent: in nothing that has labels. */
  wholes?: LabeledWholes;
  /** Runs in the transaction of each page, when the record is locked; throws when the batch may not write any more. */
  requireOpen?(tx: Tx): Promise<void>;
  /** Called when the upload was read once, and nothing of it written; throws when it may not enter the record. */
  onIndexed?(): Promise<void>;
}

export interface ImportResult extends Counts {
  /** Occurrences that were left out because a newer version of the same resource is in the same upload. */
  overridden: Overridden[];
  /** Occurrences of which the record has a newer version, which stays. */
  older: Overridden[];
  /** How many resources of each document have ids of their own, because the record or the upload has others under theirs. */
  withOwnIds: ReadonlyMap<string, number>;
  /** How many resources of each document have labels of what they came in. */
  labeled: ReadonlyMap<string, number>;
}

/** The limits of one transaction: so many resources, or so many characters of them. */
const PAGE_LIMITS = { resources: 300, characters: 1024 * 1024 };

/**
 * Writes an upload's resources into the record: all are read first, and written then. Repeating an import, or resuming it
 * after a crash, changes nothing that is there already.
 */
export async function importResources(
  deps: ImportDeps,
  options: ImportOptions,
  resources: AsyncIterable<ResourceAt>,
): Promise<ImportResult> {
  const { bundleIndex, counts, ...noted } = await storeResources(deps, options, resources);
  const { signal } = options;
  const hasLabels = options.wholes?.isEmpty() === false;
  const now = deps.clock.now();
  const forward = await resolveForwardReferences(deps.db, { ...options, bundleIndex, now });
  counts.updated += forward.rewritten;
  // Names that earlier documents' entries show may be new, and labels that earlier resources share or compare theirs with
  // may be other ones: then all entries of the record are rebuilt.
  const { has_new_displays: hasNewNames } = await one(
    deps.db,
    hasNewDisplays(options.patientId, options.batchId),
  );
  // What is older stays as it is, with the labels of what the older content came in.
  const isWhole =
    hasNewNames || counts.updated > 0 || forward.resolved > 0 || (hasLabels && noted.older.length > 0);
  const scope = { patientId: options.patientId, batchId: isWhole ? null : options.batchId, isImport: true };
  await rebuildEntries(deps, scope, () => {
    signal.throwIfAborted();
    deps.db.capacity.require('uploads');
  });
  return { ...counts, ...noted };
}

/** Reads the resources into a spool, decides what becomes of each, and writes them from there. */
async function storeResources(
  deps: ImportDeps,
  options: ImportOptions,
  resources: AsyncIterable<ResourceAt>,
): Promise<{ bundleIndex: BundleIndex; counts: Counts } & Notes> {
  const { signal } = options;
  await using spool = await createResourceSpool(options.spoolFile);
  const bundleIndex = await indexBundle(deps.db, { ...options, spool }, stopOnAbort(signal, resources));
  await options.onIndexed?.();
  const read = () => stopOnAbort(signal, spool.read());
  const overridden = await settleDuplicates(bundleIndex, read);
  const wholes = options.wholes ?? createLabeledWholes();
  const { label, labeled } = await findInheritedLabels(bundleIndex, wholes, read);
  const written = await writePages(deps, { ...options, bundleIndex, label }, read());
  return { bundleIndex, overridden, labeled, ...written };
}

type Notes = Pick<ImportResult, 'overridden' | 'older' | 'withOwnIds' | 'labeled'>;

async function* stopOnAbort<Item>(signal: AbortSignal, items: AsyncIterable<Item>): AsyncGenerator<Item> {
  for await (const item of items) {
    signal.throwIfAborted();
    yield item;
  }
}

/**
 * While the database writes a page, the next one is read, and linked as far as the upload says what its references mean: not
 * before all of the page is on its way, since whoever reads has no time to answer.
 */
async function writePages(
  { db, clock }: ImportDeps,
  options: ImportOptions & { bundleIndex: BundleIndex; label: LabelResource },
  resources: AsyncIterable<SpooledResource>,
): Promise<{ counts: Counts } & Pick<Notes, 'older' | 'withOwnIds'>> {
  const { bundleIndex, label } = options;
  const counts: Counts = { created: 0, updated: 0, unchanged: 0 };
  const older: Overridden[] = [];
  const withOwnIds = new Map<string, number>();
  let page: PageItem[] = [];
  let link = createLinker(bundleIndex);
  let characters = 0;
  let position = 0;
  let written = Promise.resolve();
  const write = async (items: PageItem[], onSent: () => void): Promise<void> => {
    const outcome = await writePage(db, { ...options, now: clock.now() }, { items, onSent });
    for (const name of ['created', 'updated', 'unchanged'] as const) counts[name] += outcome[name];
    older.push(...outcome.older);
  };
  const flush = async (): Promise<void> => {
    await written;
    const sent = Promise.withResolvers<void>();
    written = write(page, sent.resolve);
    // A failure is thrown where it is waited for; until then it must not count as unhandled.
    written.catch(() => {});
    await Promise.race([sent.promise, written]);
    page = [];
    link = createLinker(bundleIndex);
    characters = 0;
  };
  try {
    for await (const found of resources) {
      const { facts } = found;
      const plan = bundleIndex.findPlan(facts);
      if (plan?.winner !== position++) continue;
      if (plan.hasOwnId) withOwnIds.set(facts.path, (withOwnIds.get(facts.path) ?? 0) + 1);
      const spooled = label(found, plan);
      page.push({ ...spooled, linked: plan.knownAs === null ? link(spooled) : null });
      characters += spooled.text.length;
      if (page.length >= PAGE_LIMITS.resources || characters >= PAGE_LIMITS.characters) await flush();
    }
    if (page.length > 0) await flush();
  } finally {
    await written;
  }
  return { counts, older, withOwnIds };
}
