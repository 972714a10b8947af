import type { BatchId, PatientId } from '../../../../contract/brands.ts';
import type { Tx } from '../../../platform/db/db.ts';
import { buildDisplay } from '../../entries/resource-display.ts';
import { LOOKED_UP_TYPES } from '../../store/looked-up-types.ts';
import { parseResource } from '../../store/parse-resource.ts';
import { replaceId } from '../../store/references.ts';
import type { ResourceInput } from '../../store/resources.sql.ts';
import type { BundleIndex } from './index-bundle.ts';
import { createLinker, type LinkedText } from './link-resource.ts';
import type { SpooledResource } from './resource-spool.ts';
import { resolveReferences } from './resolve-references.ts';

export interface ImportTarget {
  patientId: PatientId;
  batchId: BatchId;
}

export interface WriteContext extends ImportTarget {
  origin: string;
  bundleIndex: BundleIndex;
  now: Date;
  requireOpen?(tx: Tx): Promise<void>;
}

/** A resource on its way into the record. */
export interface PageItem extends SpooledResource {
  /** Made while the page before is written; null: of what the record seems to have already, which is seldom written. */
  linked: LinkedText | null;
}

/** A resource as it is written, and its place in the record. */
export interface Item extends PageItem {
  hash: Buffer;
  seq: number;
}

/** Builds the rows of resources, with references resolved as far as the record and the upload hold their targets. */
export async function buildResourceInputs(tx: Tx, context: WriteContext, items: readonly Item[]) {
  const link = createLinker(context.bundleIndex);
  const linkedItems = items.map((item) => ({ ...item, linked: item.linked ?? link(item) }));
  const resolve = await resolveReferences(
    tx,
    context,
    linkedItems.flatMap(({ linked }) => linked.missing),
  );
  const rows = linkedItems.map((item) =>
    buildResourceInput(item, context.bundleIndex, item.linked.relink(resolve)),
  );
  const open = linkedItems.flatMap(({ seq, linked }) =>
    linked.missing
      .filter((reference) => resolve(reference) === undefined)
      .map(({ reference }) => ({ target: reference, seq })),
  );
  return { rows, open };
}

function buildResourceInput(
  { text, facts, hash, seq }: Item,
  bundleIndex: BundleIndex,
  rewritten: string,
): ResourceInput {
  const { identity } = facts;
  const plan = bundleIndex.findPlan(facts);
  const id = plan?.id ?? identity.sourceId;
  // Only a rewritten reference shows that it means an organization; `urn:uuid:…` does not.
  const reread = rewritten !== text && LOOKED_UP_TYPES.has(identity.type);
  const { display, code, organizationDisplay, organizationReference } = reread
    ? buildDisplay(parseResource(rewritten))
    : facts.display;
  return {
    seq,
    type: identity.type,
    id,
    origin: plan?.origin ?? identity.origin,
    sourceId: identity.sourceId,
    category: facts.category,
    body: facts.id === id ? rewritten : replaceId(rewritten, id),
    sourceHash: hash,
    display,
    displayCode: code,
    organization: organizationDisplay,
    organizationReference,
    documentPath: facts.path,
    period: facts.period,
  };
}
