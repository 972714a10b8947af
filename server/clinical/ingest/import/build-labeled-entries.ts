import { RestrictedScope } from '../../../../contract/data-categories.ts';
import type { DataMask, PatientId } from '../../../../contract/brands.ts';
import {
  combineMasks,
  FETCHED_RESTRICTED,
  intersectMasks,
  labelBit,
  NO_LABELS,
  toLabelMask,
  toRequiredMask,
} from '../../../consent/access/sensitivity-labels.ts';
import type { Queryable } from '../../../platform/db/db.ts';
import type { LoadTexts } from './attachment-texts.ts';
import type { NewEntry } from '../../entries/entries.sql.ts';
import type { Entry } from '../../entries/entry.ts';
import { findVisitDates } from '../../entries/entry-context.sql.ts';
import type { PartialDate } from '../../entries/partial-date.ts';
import { createSourceKeys } from '../../store/identity.ts';
import type { ParsedResource } from '../../store/found-resource.ts';
import { parseResource } from '../../store/parse-resource.ts';
import { findLendingVisits, findRequiredReferences, buildEntries } from '../../entries/build-entries.ts';
import { categorizeResource } from '../../entries/category.ts';
import type { ReferenceTarget } from '../../entries/entry-builder.ts';
import * as statements from '../../store/resources.sql.ts';
import { classifyResource, type Classification } from '../../labels/classify-resource.ts';
import type { ResourceContents } from '../../labels/contents.sql.ts';

/** The entries of some resources, and what a consent must cover for each resource to be shown. */
export interface LabeledEntries {
  entries: NewEntry[];
  requiredLabels: { seq: number; requiredLabels: DataMask }[];
  contents: ResourceContents[];
}

/** Returns the labels that a resource inherits from others that hold the same notes. */
export type GetInheritedLabels = (resource: {
  seq: number;
  reference: string;
  entries: readonly Entry[];
}) => DataMask;

/** Stored resources, and what their entries are built with. */
export interface LabelingInput {
  rows: readonly statements.ResourceRow[];
  getInheritedLabels: GetInheritedLabels;
  loadTexts: LoadTexts;
  /** The digests of unread content of which the patient says that it holds nothing very private. */
  stated: ReadonlySet<string>;
}

interface KnownTarget extends ReferenceTarget {
  /** The labels that an entry inherits when it shows this name. */
  requiredLabels: DataMask;
}

/**
 * Builds entries with their labels. A fact is as sensitive as what it shows and as the visit it belongs to: besides its own
 * category and classes it has the classes of every visit that the resource names, and of everything whose name it shows.
 */
export async function buildLabeledEntries(
  on: Queryable,
  patientId: PatientId,
  input: LabelingInput,
): Promise<LabeledEntries> {
  const parsed = input.rows.map((row) => {
    const resource = parseResource(row.body);
    return { row, resource, visits: findVisits(row.body) };
  });
  const known = await loadTargets(
    on,
    patientId,
    parsed.flatMap(({ resource, visits }) => [...visits, ...findRequiredReferences(resource)]),
  );
  const texts = await input.loadTexts(parsed);
  const visitDates = await loadVisitDates(
    on,
    patientId,
    parsed.flatMap(({ resource }) => findLendingVisits(resource)),
  );
  const labeled: LabeledEntries = { entries: [], requiredLabels: [], contents: [] };
  const getSourceKey = createSourceKeys();
  for (const each of parsed) addLabeled(labeled, each, { ...input, known, texts, visitDates, getSourceKey });
  return labeled;
}

interface LabelingContext extends Pick<LabelingInput, 'getInheritedLabels' | 'stated'> {
  known: ReadonlyMap<string, KnownTarget>;
  texts: Awaited<ReturnType<LoadTexts>>;
  visitDates: ReadonlyMap<string, PartialDate>;
  getSourceKey: ReturnType<typeof createSourceKeys>;
}

interface ParsedRow {
  row: statements.ResourceRow;
  resource: ParsedResource;
  visits: string[];
}

function addLabeled(
  labeled: LabeledEntries,
  { row, resource, visits }: ParsedRow,
  { known, texts, visitDates, stated, getInheritedLabels, getSourceKey }: LabelingContext,
): void {
  const { seq } = row;
  const shown = new Set(visits);
  const entries = buildEntries(resource, {
    resolve(reference) {
      shown.add(reference);
      return known.get(reference) ?? null;
    },
    getVisitDate: (reference) => visitDates.get(reference) ?? null,
    getDocumentText: (digest) => texts.get(digest)?.text ?? null,
  });
  const reference = `${row.resource_type}/${row.fhir_id}`;
  const classification = classifyResource(resource, (digest) => texts.get(digest) ?? null);
  const allLabels = [...shown].reduce(
    (sum, name) => combineMasks(sum, known.get(name)?.requiredLabels ?? NO_LABELS),
    combineMasks(
      computeOwnLabels(resource, classification, stated),
      getInheritedLabels({ seq, reference, entries }),
    ),
  );
  const requiredLabels = addFetched(allLabels, row);
  labeled.requiredLabels.push({ seq, requiredLabels });
  const { binaries, unread } = classification;
  if (binaries.length + unread.length > 0) labeled.contents.push({ seq, binaries, unread });
  const common = { seq, reference, documentPath: row.document_path, sourceKey: getSourceKey(row) };
  for (const [ordinal, entry] of entries.entries())
    labeled.entries.push({ ...common, ordinal, ...toVariantLabels(entry, requiredLabels), entry });
}

async function loadVisitDates(
  on: Queryable,
  patientId: PatientId,
  references: readonly string[],
): Promise<ReadonlyMap<string, PartialDate>> {
  if (references.length === 0) return new Map();
  const rows = await on.query(findVisitDates(patientId, [...new Set(references)]));
  return new Map(rows.map((row) => [row.reference, { day: row.day, dayText: row.day_text, time: row.time }]));
}

/** An entry that borrows requires the category that it borrows from, and its fallback is shown where that is withheld. */
function toVariantLabels(
  { variant }: Entry,
  requiredLabels: DataMask,
): Pick<NewEntry, 'requiredLabels' | 'unlessCovered'> {
  if (variant === undefined) return { requiredLabels };
  if ('borrows' in variant)
    return { requiredLabels: combineMasks(requiredLabels, labelBit(variant.borrows)) };
  return {
    requiredLabels,
    unlessCovered: [combineMasks(requiredLabels, labelBit(variant.fallbackFor))],
  };
}

/** Content that could not be read may be of any class, unless the patient says that it is not. */
function computeOwnLabels(
  resource: ParsedResource,
  { classes, nestedCategories, unread }: Classification,
  stated: ReadonlySet<string>,
): DataMask {
  const isUnknown = unread.some(({ digest }) => !stated.has(digest));
  return [
    toRequiredMask(categorizeResource(resource), classes),
    toLabelMask(nestedCategories),
    isUnknown ? CLASSES_MASK : NO_LABELS,
  ].reduce(combineMasks);
}

const VISIT = /"reference"\s*:\s*"(Encounter\/[A-Za-z0-9.-]{1,64})[/"]/g;

const findVisits = (body: string): string[] => [...body.matchAll(VISIT)].map(([, name]) => name as string);

/** Loads the targets of references by two look-ups a page: the targets, and the organizations that they name. */
async function loadTargets(
  on: Queryable,
  patientId: PatientId,
  references: readonly string[],
): Promise<ReadonlyMap<string, KnownTarget>> {
  const rows = await on.query(statements.findDisplays(patientId, parseReferences(references)));
  const organizations = rows.flatMap((row) =>
    row.organization === null && row.organization_reference !== null ? [row.organization_reference] : [],
  );
  const named = await on.query(statements.findDisplays(patientId, parseReferences(organizations)));
  const names = new Map(named.map((row) => [row.reference, row]));
  return new Map(
    rows.map((row) => {
      const [type = ''] = row.reference.split('/');
      const other = row.organization === null ? names.get(row.organization_reference ?? '') : undefined;
      const organization =
        row.organization ?? (type === 'Organization' ? row.display : null) ?? other?.display ?? null;
      return [
        row.reference,
        {
          // The name of a visit is shown with the visits, under the consent for them.
          display: type === 'Encounter' ? null : row.display,
          code: row.display_code,
          organization,
          requiredLabels: inheritLabels(
            type,
            combineMasks(row.required_labels, other?.required_labels ?? NO_LABELS),
          ),
        },
      ];
    }),
  );
}

const CLASSES_MASK = toLabelMask(RestrictedScope.options);

/** The labels that a fact inherits from others. */
export const RESTRICTED_MASK = combineMasks(CLASSES_MASK, FETCHED_RESTRICTED);

/** Adds what a fetched resource of a restricted class requires. */
const addFetched = (requiredLabels: DataMask, { fetched }: statements.ResourceRow): DataMask =>
  fetched && intersectMasks(requiredLabels, CLASSES_MASK) !== NO_LABELS
    ? combineMasks(requiredLabels, FETCHED_RESTRICTED)
    : requiredLabels;

/** Who did something and where belongs to what was done, whether or not administration is shared; the name of a drug requires medications. */
const inheritLabels = (type: string, requiredLabels: DataMask): DataMask =>
  combineMasks(
    intersectMasks(requiredLabels, RESTRICTED_MASK),
    type === 'Medication' ? labelBit('MEDICATIONS') : NO_LABELS,
  );

function parseReferences(references: readonly string[]): { type: string; id: string }[] {
  return [...new Set(references)].flatMap((reference) => {
    const [type, id, more] = reference.split('/');
    return type && id && more === undefined ? [{ type, id }] : [];
  });
}
