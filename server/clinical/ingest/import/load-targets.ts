import type { DataMask, PatientId } from '../../../../contract/brands.ts';
import {
  combineMasks,
  intersectMasks,
  labelBit,
  NO_LABELS,
} from '../../../consent/access/sensitivity-labels.ts';
import type { Queryable } from '../../../platform/db/db.ts';
import { findVisitDates } from '../../entries/entry-context.sql.ts';
import { isInError } from '../../entries/objection.ts';
import { formatStrength, hasStrength } from '../../entries/drug-strength.ts';
import { buildDisplay, findIngredientReferences, formatCompound } from '../../entries/resource-display.ts';
import type { ReferenceTarget } from '../../entries/entry-builder.ts';
import type { PartialDate } from '../../entries/partial-date.ts';
import type { Mention } from '../../labels/mentions.ts';
import { needsLookUp } from '../../labels/target-labels.ts';
import { findBodiesByIds } from '../../store/bodies-by-id.sql.ts';
import { parseResource } from '../../store/parse-resource.ts';
import { PARTY_TYPES } from '../../store/party-types.ts';
import * as statements from '../../store/resources.sql.ts';
import { RESTRICTED_MASK } from './inherited-masks.ts';
import { parseReferences } from './parse-references.ts';

export interface KnownTarget extends ReferenceTarget {
  /** The labels that an entry inherits when it shows this name. */
  requiredLabels: DataMask;
}

/**
 * Loads the targets of references by two look-ups a page: the targets, and the organizations that they belong to. `parties` are the
 * labels of who, where and what, whatever they are called where they are named.
 */
export async function loadTargets(
  on: Queryable,
  patientId: PatientId,
  { references, parties }: { references: readonly string[]; parties: ReadonlyMap<string, DataMask> },
): Promise<ReadonlyMap<string, KnownTarget>> {
  const rows = await on.query(statements.findDisplays(patientId, parseReferences(references)));
  const organizations = rows.flatMap((row) =>
    row.organization === null ? (row.organization_reference ?? []) : [],
  );
  const others = await on.query(statements.findDisplays(patientId, parseReferences(organizations)));
  const names = new Map(others.map((row) => [row.reference, row]));
  const drugs = await loadDrugs(
    on,
    patientId,
    rows.filter(({ display }) => display === null || !hasStrength(display)),
  );
  return new Map(
    rows.map((row) => {
      const [type = ''] = row.reference.split('/');
      const other = row.organization === null ? names.get(row.organization_reference ?? '') : undefined;
      const drug = drugs.get(row.reference);
      const organization =
        row.organization ?? (type === 'Organization' ? row.display : null) ?? other?.display ?? null;
      return [
        row.reference,
        {
          // The name of a visit is shown with the visits, under the consent for them.
          display: type === 'Encounter' ? null : (drug?.name ?? row.display),
          code: row.display_code,
          strength: drug?.strength ?? null,
          organization,
          requiredLabels: inheritLabels(
            type,
            PARTY_TYPES.has(type) ? (parties.get(row.reference) ?? NO_LABELS) : row.required_labels,
          ),
        },
      ];
    }),
  );
}

interface KnownDrug {
  name: string | null;
  strength: string | null;
}

/**
 * Reads Medications whose stored name does not say how strong they are, or that only their ingredients name, where these are
 * Medications and Substances of the record: two look-ups more, and none where each name states a strength.
 */
async function loadDrugs(
  on: Queryable,
  patientId: PatientId,
  rows: readonly { reference: string; display: string | null }[],
): Promise<ReadonlyMap<string, KnownDrug>> {
  const ids = parseReferences(rows.map(({ reference }) => reference)).flatMap(({ type, id }) =>
    type === 'Medication' ? id : [],
  );
  if (ids.length === 0) return new Map();
  const nameless = new Set(rows.flatMap(({ reference, display }) => (display === null ? reference : [])));
  const medications = (await on.query(findBodiesByIds(patientId, 'Medication', ids))).flatMap(
    ({ fhir_id, body }) => {
      const [reference, resource] = [`Medication/${fhir_id}`, parseResource(body)];
      if (isInError(resource)) return [];
      const ingredients = nameless.has(reference) ? findIngredientReferences(resource) : [];
      return { reference, resource, ingredients };
    },
  );
  const named = await on.query(
    statements.findDisplays(
      patientId,
      parseReferences(medications.flatMap(({ ingredients }) => ingredients)),
    ),
  );
  const known = new Map(named.map((row) => [row.reference, row]));
  return new Map(
    medications.map(({ reference, resource }) => [
      reference,
      {
        name: nameless.has(reference)
          ? formatCompound(resource, (ingredient) => known.get(ingredient)?.display ?? null)
          : buildDisplay(resource).display,
        strength: formatStrength(resource),
      },
    ]),
  );
}

export async function loadVisitDates(
  on: Queryable,
  patientId: PatientId,
  references: readonly string[],
): Promise<ReadonlyMap<string, PartialDate>> {
  if (references.length === 0) return new Map();
  const rows = await on.query(findVisitDates(patientId, [...new Set(references)]));
  return new Map(rows.map((row) => [row.reference, { day: row.day, dayText: row.day_text, time: row.time }]));
}

/** The category of referenced resources as a mask, by `Type/id`; null of those that the record does not hold. */
export type KnownCategories = Map<string, DataMask | null>;

/** A rebuild of a larger record looks some up again, rather than keep them all. */
const MAX_KNOWN_CATEGORIES = 100_000;

/**
 * Adds the categories of referenced resources whose type does not say it. A diagnosis is named by hundreds of bills, so
 * what is known from the pages before is not looked up again.
 */
export async function loadCategories(
  on: Queryable,
  patientId: PatientId,
  { parsed, known }: { parsed: readonly { mentions: readonly Mention[] }[]; known: KnownCategories },
): Promise<void> {
  if (known.size > MAX_KNOWN_CATEGORIES) known.clear();
  const references = parsed.flatMap(({ mentions }) =>
    mentions.flatMap(({ target, by }) =>
      target !== null && isLookedUp(target, by) && !known.has(target) ? target : [],
    ),
  );
  if (references.length === 0) return;
  const rows = await on.query(statements.findCategories(patientId, parseReferences(references)));
  for (const reference of references) known.set(reference, null);
  for (const { reference, category } of rows) known.set(reference, labelBit(category));
}

/** A link says nothing, whatever type it names, unless the record holds that. */
const isLookedUp = (target: string, by: Mention['by']): boolean =>
  by === undefined ? needsLookUp(target) : by !== 'identifier';

/**
 * Who did something and where belongs to what was done, whether or not administration is shared; the name of a drug
 * requires medications.
 */
const inheritLabels = (type: string, requiredLabels: DataMask): DataMask =>
  combineMasks(
    intersectMasks(requiredLabels, RESTRICTED_MASK),
    type === 'Medication' ? labelBit('MEDICATIONS') : NO_LABELS,
  );
