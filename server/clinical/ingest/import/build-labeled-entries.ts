import type { DataMask, PatientId } from '../../../../contract/brands.ts';
import { ALL_LABELS, combineMasks, NO_LABELS } from '../../../consent/access/sensitivity-labels.ts';
import type { Queryable } from '../../../platform/db/db.ts';
import type { LoadBinaries } from './attached-binaries.ts';
import type { LoadTexts } from './attachment-texts.ts';
import type { NewEntry } from '../../entries/entries.sql.ts';
import type { Entry } from '../../entries/entry.ts';
import type { PartialDate } from '../../entries/partial-date.ts';
import type { Objection } from '../../entries/objection.ts';
import { createSourceKeys } from '../../store/identity.ts';
import type { ParsedResource } from '../../store/found-resource.ts';
import { parseResource } from '../../store/parse-resource.ts';
import { hasRepeatedMember } from '../../store/repeated-members.ts';
import { findLendingVisits, buildEntries } from '../../entries/build-entries.ts';
import { findClinicalPeriod } from '../../entries/clinical-period.ts';
import type { ClinicalPeriod } from '../../store/clinical-periods.sql.ts';
import type { RequiredLabels } from '../../store/required-labels.sql.ts';
import type * as statements from '../../store/resources.sql.ts';
import type { ResourceContents } from '../../labels/contents.sql.ts';
import type { ClassifyWords } from '../../labels/word-classifier.ts';
import type { MentioningResource, RedactedParts } from '../../labels/find-redactions.ts';
import { listMentions, type Mention } from '../../labels/mentions.ts';
import { qualifyNames, type NamedReference } from '../../labels/qualify-names.ts';
import { formatRedactions } from '../../labels/redact.ts';
import { readSecurityContext } from '../../labels/security-context.ts';
import type { NamedTarget } from '../../labels/names-of-targets.ts';
import { findVisits, type VisitNode } from '../../labels/visits.ts';
import { buildVariants } from './build-variants.ts';
import { classifyRow } from './classify-row.ts';
import {
  isInherited,
  isParty,
  listInherited,
  listReferences,
  listVisitNodes,
  loadNamedVisits,
  type LoadVisits,
} from './inherit-from-visits.ts';
import { loadClaims, type LoadClaimNames } from './load-claims.ts';
import { listNamedReferences, loadObjections } from './load-objections.ts';
import type { LoadParties } from './load-parties.ts';
import { loadInheritedClasses } from './inherit-from-wholes.ts';
import {
  loadCategories,
  loadTargets,
  loadVisitDates,
  type KnownCategories,
  type KnownTarget,
} from './load-targets.ts';
import { addFetched, computeOwnLabels } from './own-labels.ts';
import { redactParts } from './redact-parts.ts';

/** The entries of some resources, and what a consent must cover for each resource to be shown. */
export interface LabeledEntries {
  entries: NewEntry[];
  requiredLabels: ResourceLabels[];
  contents: ResourceContents[];
  /** Visits, and what else others inherit from that names visits: they are labeled without these. */
  visits: VisitNode[];
  /** The clinical periods of resources, unless they are known. */
  periods: { seq: number; period: ClinicalPeriod }[];
}

export interface ResourceLabels extends RequiredLabels {
  /** `Type/id` of what its parts refer to, whose own labels count. */
  targets: readonly string[];
}

/** Returns the labels that a resource has because of others, besides those that it shows or belongs to. */
export type GetInheritedLabels = (seq: number) => DataMask;

/** What readers go by until the run that labels the record has ended. */
export interface PublishedLabels {
  /** What resources require besides the category of their type, by `Type/id`. */
  addedLabels: ReadonlyMap<string, DataMask>;
  /** Resources that are not labeled yet beside others that are, by `Type/id`. */
  unlabeled: ReadonlySet<string>;
}

/** Stored resources, and what their entries are built with. */
export interface LabelingInput {
  rows: readonly statements.ResourceRow[];
  /** Whether the clinical periods of the resources are stored. */
  areDated: boolean;
  getInheritedLabels: GetInheritedLabels;
  loadBinaries: LoadBinaries;
  loadTexts: LoadTexts;
  loadVisits: LoadVisits;
  loadParties: LoadParties;
  loadClaimNames: LoadClaimNames;
  classifyWords: ClassifyWords;
  /** The digests of unread content of which the patient says that it holds nothing very private. */
  stated: ReadonlySet<string>;
  /**
   * What resources require besides the category of their type, by `Type/id`, as far as it is known: restricted classes, and all
   * categories of what has several.
   */
  addedLabels: ReadonlyMap<string, DataMask>;
  published: PublishedLabels;
  /** The category of what parts refer to, as far as it was looked up. */
  categories: KnownCategories;
}

/**
 * Prepares entries with their labels: loads all that they are built with, and returns what builds them, once. A fact is as
 * sensitive as what it shows and as the visit it belongs to: besides its own category and classes it has the classes of every
 * visit that the resource names, of who, where and what took part, and of everything whose name it shows.
 */
export async function prepareLabeledEntries(
  on: Queryable,
  patientId: PatientId,
  input: LabelingInput,
): Promise<() => LabeledEntries> {
  const written = input.rows.map(parseRow);
  const { rows: parsed, documents } = await input.loadBinaries(on, written);
  const parties = await input.loadParties();
  const [inherited, known, texts, namedVisits, visitDates, objections, getClaims] = await Promise.all([
    loadInheritedClasses(on, patientId, parsed),
    loadTargets(on, patientId, { references: parsed.flatMap(listReferences), parties }),
    input.loadTexts([...written, ...documents]),
    loadNamedVisits(parsed, input.loadVisits),
    loadVisitDates(
      on,
      patientId,
      parsed.flatMap(({ resource }) => findLendingVisits(resource)),
    ),
    loadObjections(
      on,
      patientId,
      parsed.flatMap(({ named }) => named),
    ),
    loadClaims(on, patientId, {
      resources: parsed.map(({ resource }) => resource),
      classifyWords: input.classifyWords,
      loadNames: input.loadClaimNames,
    }),
    loadCategories(on, patientId, { parsed, known: input.categories }),
  ]);
  const getSourceKey = createSourceKeys();
  const inheritance = { inherited, known, namedVisits, parties };
  const context = { ...input, ...inheritance, texts, visitDates, objections, getSourceKey };
  return () => {
    const labeled = createEmpty();
    // Each is let go when its entries are built, before the collector of garbage has copied it once more.
    for (let each = parsed.shift(); each !== undefined; each = parsed.shift())
      addLabeled(labeled, { ...each, claims: getClaims(each.resource) }, context);
    return labeled;
  };
}

function parseRow(row: statements.ResourceRow) {
  const resource = parseResource(row.body);
  const mentions = listMentions(resource);
  const visits = findVisits(resource, mentions);
  return { row, resource, visits, mentions, named: listNamedReferences(mentions) };
}

const createEmpty = (): LabeledEntries => ({
  entries: [],
  requiredLabels: [],
  contents: [],
  visits: [],
  periods: [],
});

/** Only a consent that leaves out nothing covers it. */
const UNLABELED = -1 as DataMask;

interface LabelingContext extends Pick<
  LabelingInput,
  'areDated' | 'getInheritedLabels' | 'classifyWords' | 'stated' | 'addedLabels' | 'published' | 'categories'
> {
  /** The classes that resources have because of what they came in, by `seq`. */
  inherited: ReadonlyMap<number, DataMask>;
  known: ReadonlyMap<string, KnownTarget>;
  texts: Awaited<ReturnType<LoadTexts>>;
  namedVisits: ReadonlyMap<string, DataMask>;
  parties: ReadonlyMap<string, DataMask>;
  visitDates: ReadonlyMap<string, PartialDate>;
  objections: ReadonlyMap<string, Objection>;
  getSourceKey: ReturnType<typeof createSourceKeys>;
}

interface ParsedRow {
  row: statements.ResourceRow;
  /** With the content of the Binaries that its attachments name. */
  resource: ParsedResource;
  /** As its body has it. */
  written: ParsedResource;
  /** `Binary/id` of what its attachments have the content of. */
  binaries: readonly string[];
  visits: NamedTarget[];
  mentions: Mention[];
  named: NamedReference[];
  /** What a bill answers, where the record holds it. */
  claims: readonly MentioningResource[];
}

/** Lists what a resource and the claims that it answers refer to, and what of that is no reference of its own. */
function listTargets({ mentions, claims }: ParsedRow): { targets: string[]; named: string[] } {
  const own = mentions.flatMap(({ target }) => target ?? []);
  const others = claims.flatMap((claim) => claim.mentions.flatMap(({ target }) => target ?? []));
  const named = mentions.flatMap(({ target, by }) => (by === undefined ? [] : (target ?? [])));
  return { targets: [...own, ...others], named: [...new Set([...named, ...others])] };
}

function addLabeled(labeled: LabeledEntries, parsed: ParsedRow, context: LabelingContext): void {
  const { classification, ...parsedRow } = classifyRow(parsed, context);
  const { row, resource, written, binaries, mentions } = parsedRow;
  const qualified = qualifyNames(resource, parsedRow.named, context.objections);
  const shown = new Set(listInherited(parsedRow, context));
  // These are left out of it where they are withheld.
  const leftOut = new Set(mentions.flatMap(({ isLeftOut, target }) => (isLeftOut ? (target ?? []) : [])));
  const build = createBuild(qualified, context);
  const entries = build(qualified, (reference) => {
    if (isInherited(resource, reference) && !leftOut.has(reference)) shown.add(reference);
    return true;
  });
  const [seq, reference] = [row.seq, `${row.resource_type}/${row.fhir_id}`];
  const ownLabels = [
    // Such a resource is refused today; its labels are those of the last of the members alone.
    hasRepeatedMember(row.body, written)
      ? ALL_LABELS
      : computeOwnLabels(resource, classification, context.stated),
    context.getInheritedLabels(seq),
    context.inherited.get(seq) ?? NO_LABELS,
    ...(isParty(resource) ? [] : [...shown].map((name) => getLabels(name, context))),
  ].reduce(combineMasks);
  const redact = (addedLabels: LabelingContext['addedLabels']): RedactedParts =>
    redactParts(parsedRow, ownLabels, { ...context, addedLabels });
  const { redactions, additionalLabels } = redact(context.addedLabels);
  const requiredLabels = addFetched(combineMasks(ownLabels, additionalLabels), row);
  const { targets, named } = listTargets(parsedRow);
  labeled.requiredLabels.push({ seq, requiredLabels, redactions: formatRedactions(redactions), targets });
  const node = { row, reference, labels: requiredLabels, shown, classifyWords: context.classifyWords };
  labeled.visits.push(...listVisitNodes(parsedRow, node));
  if (!context.areDated) labeled.periods.push({ seq, period: findClinicalPeriod(resource) });
  addContents(labeled, { seq, ...classification, named, securityContext: readSecurityContext(resource) });
  const isRedacted = targets.some((name) => context.published.addedLabels.has(name));
  const waitsFor = [...targets, ...shown, ...binaries];
  const publishedLabels = getPublishedLabels(waitsFor, row, context.published);
  const place = { documentPath: row.document_path, sourceKey: context.getSourceKey(row) };
  const common = { seq, reference, publishedLabels, ...place };
  const variants = buildVariants({
    resource: qualified,
    body: row.body,
    redactions: isRedacted ? redact(context.published.addedLabels).redactions : redactions,
    requiredLabels,
    entries,
    // A name that the whole has no use for, since it writes one itself, is none that its labels were computed with.
    build: (rest) =>
      build(rest, (name) => shown.has(name) || leftOut.has(name) || !isInherited(resource, name)),
  });
  for (const [ordinal, variant] of variants.entries())
    labeled.entries.push({ ...common, ordinal, ...variant });
}

type Build = (shownPart: ParsedResource, isShown: (reference: string) => boolean) => Entry[];

/** Returns what builds the entries of a part of a resource, with the names of what it refers to that are shown. */
const createBuild =
  (whole: ParsedResource, { known, texts, visitDates }: LabelingContext): Build =>
  (shownPart, isShown) =>
    buildEntries(shownPart, {
      resolve: (reference) => (isShown(reference) ? (known.get(reference) ?? null) : null),
      getVisitDate: (reference) => visitDates.get(reference) ?? null,
      getDocumentText: (digest) => texts.get(digest)?.text ?? null,
      whole,
    });

/** What a resource inherits from something that it names. */
const getLabels = (name: string, { known, parties, namedVisits }: LabelingContext): DataMask =>
  known.get(name)?.requiredLabels ?? parties.get(name) ?? namedVisits.get(name) ?? NO_LABELS;

function addContents(labeled: LabeledEntries, contents: ResourceContents): void {
  const { seq, binaries, named, unread, securityContext } = contents;
  if (binaries.length + named.length + unread.length > 0 || securityContext !== null)
    labeled.contents.push({ seq, binaries, named, unread, securityContext });
}

/** What readers go by until the resource is labeled: what names something that is not labeled yet waits with it. */
const getPublishedLabels = (
  names: readonly string[],
  row: statements.ResourceRow,
  { unlabeled }: PublishedLabels,
): DataMask => (names.some((name) => unlabeled.has(name)) ? UNLABELED : row.published_labels);
