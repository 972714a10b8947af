import type { DataMask } from '../../../../contract/brands.ts';
import {
  combineMasks,
  labelBit,
  NO_LABELS,
  toLabelMask,
} from '../../../consent/access/sensitivity-labels.ts';
import type { NewEntry } from '../../entries/entries.sql.ts';
import type { Entry } from '../../entries/entry.ts';
import { removeRanges, type Redaction } from '../../labels/redact.ts';
import { BILLS } from '../../labels/target-labels.ts';
import type { ParsedResource } from '../../store/found-resource.ts';
import { parseResource } from '../../store/parse-resource.ts';

/** An entry with what a consent must cover for it to be shown. */
export type EntryVariant = Pick<NewEntry, 'requiredLabels' | 'unlessCovered' | 'entry'>;

interface VariantInput {
  type: string;
  body: string;
  redactions: readonly Redaction[];
  /** What the resource requires. */
  requiredLabels: DataMask;
  /** The entries of the whole resource. */
  entries: readonly Entry[];
  build(resource: ParsedResource): Entry[];
}

/**
 * With more parts of different labels all are left out together, since each of them doubles the number of variants; and so
 * are those of a bill, of which a record has thousands.
 */
const MAX_KINDS = 3;

/**
 * Builds the entries of a resource for consents that do not cover all of its parts: for each choice of them the entries as
 * they are without these parts, shown where the consent covers none that say more. Most resources have one variant, for
 * nothing of their entries comes from such a part.
 */
export function buildVariants(input: VariantInput): EntryVariant[] {
  const { entries, requiredLabels } = input;
  const parts = mayShowParts(input) ? findShownParts(input) : [];
  const built = parts.length === 0 ? entries : buildWithout(input, parts);
  if (parts.length === 0 || serializeText(built) === serializeText(entries))
    return entries.map((entry) => toVariant(entry, requiredLabels, []));
  const kinds = [...new Set(parts.map((part) => part.requiredLabels))];
  const choices = kinds.length > MAX_KINDS || BILLS.has(input.type) ? [kinds, []] : listSubsets(kinds);
  const buildChoice = (shown: readonly DataMask[]): readonly Entry[] => {
    if (shown.length === kinds.length) return entries;
    const left = parts.filter((part) => !shown.includes(part.requiredLabels));
    return shown.length === 0 ? built : buildWithout(input, left);
  };
  return choices.flatMap((shown) => {
    const fuller = choices
      .filter((other) => other.length > shown.length && shown.every((kind) => other.includes(kind)))
      .map((kind) => combineMasks(requiredLabels, combineAll(kind)));
    const labels = combineMasks(requiredLabels, combineAll(shown));
    return buildChoice(shown).map((entry) => toVariant(entry, labels, fuller));
  });
}

/** Resources without entries, but for results: a panel has one when none of its members is left. */
const mayShowParts = ({ entries, type }: VariantInput): boolean =>
  entries.length > 0 || type === 'Observation' || type === 'DiagnosticReport';

const combineAll = (masks: readonly DataMask[]): DataMask => masks.reduce(combineMasks, NO_LABELS);

const listSubsets = (kinds: readonly DataMask[]): DataMask[][] =>
  kinds.reduce<DataMask[][]>(
    (subsets, kind) => [...subsets.map((subset) => [...subset, kind]), ...subsets],
    [[]],
  );

const buildWithout = ({ body, build }: VariantInput, parts: readonly Redaction[]): Entry[] =>
  build(parseResource(removeRanges(Buffer.from(body), parts).toString()));

/**
 * Serializes what entries show. The visit itself is no text: the columns of an entry that come from it are left out where
 * they are read, and the organization is then the one that is known without the visit.
 */
const serializeText = (entries: readonly Entry[]): string =>
  JSON.stringify(
    entries.map(
      ({
        visit: _visit,
        groupKey: _groupKey,
        links: _links,
        dateFrom: _dateFrom,
        organizationWithoutVisit,
        ...shown
      }) =>
        organizationWithoutVisit === undefined ? shown : { ...shown, organization: organizationWithoutVisit },
    ),
  );

/** Who, when and at which visit stands in nearly every resource, and hardly ever in the text of its entries. */
const EVERYWHERE = toLabelMask(['VISITS', 'DEMOGRAPHICS', 'CONTACT_INFO']);

const STRINGS = /"((?:[^"\\]|\\.)*)"(\s*:)?/g;

/** Without the names of members: "reference" stands in every entry, as a part of "referenceRange". */
const listValues = (json: string): string[] =>
  [...json.matchAll(STRINGS)].flatMap(([, text = '', colon]) => (colon === undefined ? text : []));

/**
 * The parts that the entries may show. Of a bill, whose entry names the first of what was billed, most parts are not shown:
 * these stand in no variant.
 */
function findShownParts({ type, body, redactions, entries }: VariantInput): Redaction[] {
  const isBill = BILLS.has(type);
  const isCertain = ({ requiredLabels }: Redaction): boolean =>
    !isBill && (requiredLabels & ~EVERYWHERE) !== 0;
  if (redactions.every((part) => !isCertain(part)) && !body.includes('"display"') && !isBill) return [];
  const bytes = Buffer.from(body);
  const whole = serializeText(entries);
  const isShown = ({ start, end }: Redaction): boolean =>
    listValues(bytes.toString('utf8', start, end)).some((text) => text.length > 2 && whole.includes(text));
  const shown = redactions.filter((part) => isCertain(part) || isShown(part));
  const kinds = new Set(shown.map((part) => part.requiredLabels));
  return isBill ? redactions.filter((part) => kinds.has(part.requiredLabels)) : shown;
}

/**
 * An entry that borrows requires the category that it borrows from, and its fallback is shown where that is withheld; both
 * are shown only where the consent does not cover a fuller one.
 */
function toVariant(entry: Entry, requiredLabels: DataMask, fuller: readonly DataMask[]): EntryVariant {
  const { variant } = entry;
  if (variant !== undefined && 'borrows' in variant)
    return {
      entry,
      requiredLabels: combineMasks(requiredLabels, labelBit(variant.borrows)),
      ...(fuller.length > 0 && { unlessCovered: fuller }),
    };
  const better =
    variant === undefined ? fuller : [...fuller, combineMasks(requiredLabels, labelBit(variant.fallbackFor))];
  return { entry, requiredLabels, ...(better.length > 0 && { unlessCovered: better }) };
}
