import { RestrictedScope } from '../../../../contract/data-categories.ts';
import type { DataMask, PatientId } from '../../../../contract/brands.ts';
import {
  combineMasks,
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
import { createSourceKeys } from '../../store/identity.ts';
import type { ParsedResource } from '../../store/found-resource.ts';
import { parseResource } from '../../store/parse-resource.ts';
import { findRequiredReferences, buildEntries } from '../../entries/build-entries.ts';
import { categorizeResource } from '../../entries/category.ts';
import type { ReferenceTarget } from '../../entries/entry-builder.ts';
import * as statements from '../../store/resources.sql.ts';
import { classifyResource } from '../../labels/classify-resource.ts';

/** The entries of some resources, and what a consent must cover for each resource to be shown. */
export interface LabeledEntries {
  entries: NewEntry[];
  requiredLabels: { seq: number; requiredLabels: DataMask }[];
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
  { rows, getInheritedLabels, loadTexts }: LabelingInput,
): Promise<LabeledEntries> {
  const parsed = rows.map((row) => {
    const resource = parseResource(row.body);
    return { row, resource, visits: findVisits(row.body) };
  });
  const known = await loadTargets(
    on,
    patientId,
    parsed.flatMap(({ resource, visits }) => [...visits, ...findRequiredReferences(resource)]),
  );
  const texts = await loadTexts(parsed);
  const labeled: LabeledEntries = { entries: [], requiredLabels: [] };
  const getSourceKey = createSourceKeys();
  for (const { row, resource, visits } of parsed) {
    const shown = new Set(visits);
    const entries = buildEntries(resource, {
      resolve(reference) {
        shown.add(reference);
        return known.get(reference) ?? null;
      },
      getDocumentText: (digest) => texts.get(digest) ?? null,
    });
    const reference = `${row.resource_type}/${row.fhir_id}`;
    const requiredLabels = [...shown].reduce(
      (sum, name) => combineMasks(sum, known.get(name)?.requiredLabels ?? NO_LABELS),
      combineMasks(
        computeOwnLabels(resource, entries),
        getInheritedLabels({ seq: row.seq, reference, entries }),
      ),
    );
    labeled.requiredLabels.push({ seq: row.seq, requiredLabels });
    for (const [ordinal, entry] of entries.entries())
      labeled.entries.push({
        seq: row.seq,
        ordinal,
        reference,
        documentPath: row.document_path,
        ...toVariantLabels(entry, requiredLabels),
        sourceKey: getSourceKey(row),
        entry,
      });
  }
  return labeled;
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

function computeOwnLabels(resource: ParsedResource, entries: readonly Entry[]): DataMask {
  const notes = entries.flatMap((entry) => (entry.kind === 'note' ? (entry.detail.text ?? []) : []));
  return toRequiredMask(
    categorizeResource(resource),
    classifyResource(resource, notes.length > 0 ? notes : null),
  );
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

export const RESTRICTED_MASK = toLabelMask(RestrictedScope.options);

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
