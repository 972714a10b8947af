import type { BatchId } from '../../../../contract/brands.ts';
import { deriveUuid } from '../../../../documents/fhir/derive-uuid.ts';
import { isNameless, isUniqueId } from '../../store/identity.ts';
import { parseResource } from '../../store/parse-resource.ts';
import { compareLikeness, readLikeness, type Likeness } from './likeness.ts';
import { addVerdict, isOtherSystem } from './origin-evidence.ts';
import { getKey, type ImportPlan, type Plans } from './import-plan.ts';
import type { SpooledResource } from './resource-spool.ts';

/** Documents that are compared with each other; the others of an upload count as of one system. */
const MAX_DOCUMENTS = 500;

/** What a document has under ids that others of the upload have too, first by resource. */
type Document = Map<ImportPlan, Likeness>;

/**
 * Finds documents of an upload that are of different systems though none of them says of which: they have the same ids of other
 * resources. Returns a label for each that cannot be with the first. Only uploads with such ids are read once more.
 */
export async function findConflicts(
  { plans, contested }: Pick<Plans, 'plans' | 'contested'>,
  read: () => AsyncIterable<SpooledResource>,
  batchId: BatchId,
): Promise<ReadonlyMap<string, string>> {
  const doubtful = new Set(
    [...contested].filter((plan) => !isUniqueId(plan.sourceId) && plan.labels.some(isNameless)),
  );
  if (doubtful.size === 0) return new Map();
  const documents = new Map<string, { likenesses: Document; isNameless: boolean }>();
  for await (const { facts, text } of read()) {
    const { origin } = facts.identity;
    const plan = plans.get(getKey(facts.identity))?.find(({ labels: all }) => all.includes(origin));
    if (plan === undefined || !doubtful.has(plan)) continue;
    if (!documents.has(facts.path) && documents.size >= MAX_DOCUMENTS) continue;
    const document = documents.get(facts.path) ?? { likenesses: new Map(), isNameless: false };
    documents.set(facts.path, document);
    document.isNameless ||= isNameless(origin);
    if (!document.likenesses.has(plan)) document.likenesses.set(plan, readLikeness(parseResource(text)));
  }
  return labelDocuments(documents, (path) => `urn:uuid:${deriveUuid(`${batchId}|${path}`)}`);
}

/** Puts each document to the first that it does not contradict; those that name their server are of the first. */
function labelDocuments(
  documents: ReadonlyMap<string, { likenesses: Document; isNameless: boolean }>,
  createLabel: (path: string) => string,
): ReadonlyMap<string, string> {
  const groups = [{ label: '', members: [] as Document[] }];
  const labels = new Map<string, string>();
  for (const [path, document] of documents) {
    const isAlike = ({ members }: { members: readonly Document[] }): boolean =>
      !document.isNameless || !contradicts(document.likenesses, members);
    const known = groups.find(isAlike);
    const group = known ?? { label: createLabel(path), members: [] };
    if (known === undefined) groups.push(group);
    group.members.push(document.likenesses);
    if (group.label !== '') labels.set(path, group.label);
  }
  return labels;
}

function contradicts(document: Document, members: readonly Document[]): boolean {
  const tally = { same: 0, other: 0 };
  for (const [plan, likeness] of document)
    for (const member of members) {
      const other = member.get(plan);
      if (other) addVerdict(tally, compareLikeness(plan.type, likeness, other));
    }
  return isOtherSystem(tally);
}
