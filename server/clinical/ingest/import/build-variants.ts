import type { DataMask } from '../../../../contract/brands.ts';
import {
  combineMasks,
  labelBit,
  NO_LABELS,
  toLabelMask,
} from '../../../consent/access/sensitivity-labels.ts';
import type { NewEntry } from '../../entries/entries.sql.ts';
import { readText } from '../../entries/element.ts';
import type { Entry } from '../../entries/entry.ts';
import type { RedactedPart } from '../../labels/find-redactions.ts';
import { removeMembers } from '../../labels/remove-members.ts';
import { BILLS } from '../../labels/target-labels.ts';
import type { ParsedResource } from '../../store/found-resource.ts';

/** An entry with what a consent must cover for it to be shown. */
export type EntryVariant = Pick<NewEntry, 'requiredLabels' | 'unlessCovered' | 'entry'>;

interface VariantInput {
  resource: ParsedResource;
  /** The text of the resource. */
  body: string;
  redactions: readonly RedactedPart[];
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
  const { resource, entries, requiredLabels } = input;
  const buildOnly = (): EntryVariant[] => entries.map((entry) => toVariant(entry, requiredLabels, []));
  if (!mayShowParts(input)) return buildOnly();
  const whole = serializeText(entries);
  const shown = findShownParts(input, whole);
  if (shown === null) return buildOnly();
  const { parts, built } = shown;
  const kinds = [...new Set(parts.map((part) => part.requiredLabels))];
  const isBill = BILLS.has(resource.resourceType);
  const choices = kinds.length > MAX_KINDS || isBill ? [kinds, []] : listSubsets(kinds);
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

const combineAll = (masks: readonly DataMask[]): DataMask => masks.reduce(combineMasks, NO_LABELS);

const listSubsets = (kinds: readonly DataMask[]): DataMask[][] =>
  kinds.reduce<DataMask[][]>(
    (subsets, kind) => [...subsets.map((subset) => [...subset, kind]), ...subsets],
    [[]],
  );

const buildWithout = ({ resource, build }: VariantInput, parts: readonly RedactedPart[]): Entry[] =>
  build(
    removeMembers(
      resource,
      parts.map(({ pointer }) => pointer),
    ),
  );

/**
 * Serializes what entries show. The visit itself is no text: the columns of an entry that come from it are left out where
 * they are read, and the organization is then the one that is known without the visit.
 */
const serializeText = (entries: readonly Entry[]): string => JSON.stringify(entries.map(toShown));

const toShown = (entry: Entry): object => ({
  ...entry,
  ...(entry.organizationWithoutVisit !== undefined && { organization: entry.organizationWithoutVisit }),
  ...UNSHOWN,
});

/** Copied and left out by `JSON.stringify`, which takes half as long as a copy without them. */
const UNSHOWN = {
  visit: undefined,
  groupKey: undefined,
  links: undefined,
  dateFrom: undefined,
  organizationWithoutVisit: undefined,
};

/** Who, when and at which visit stands in nearly every resource, and hardly ever in the text of its entries. */
const EVERYWHERE = toLabelMask(['VISITS', 'DEMOGRAPHICS', 'CONTACT_INFO']);

const STRINGS = /"((?:[^"\\]|\\.)*)"(\s*:)?/g;

/** Whether a text has a value of this JSON. Names of members are none: "reference" stands in every entry, as a part of "referenceRange". */
function showsValue(whole: string, json: string): boolean {
  for (const [written, text = '', colon] of json.matchAll(STRINGS))
    if (colon === undefined && text !== '' && whole.includes(toShownText(written, text))) return true;
  return false;
}

/** A string as entries have it, in the spelling of `JSON.stringify`: the sender may write letters as escapes, and spaces around. */
const toShownText = (written: string, text: string): string =>
  PLAIN.test(text) ? text : JSON.stringify(readText(JSON.parse(written)) ?? '').slice(1, -1);

const PLAIN = /^[^\\\s](?:[^\\]*[^\\\s])?$/;

/**
 * Whether it is left out without a look for its words in the text: parts of other categories, the narrative, whose words the text has
 * without its tags, and the name of an account.
 */
const isCertain = ({ requiredLabels, pointer }: RedactedPart): boolean =>
  (requiredLabels & ~EVERYWHERE) !== 0 || pointer.at(-1) === 'text' || pointer.at(-1) === 'name';

const RESULTS: ReadonlySet<string> = new Set(['Observation', 'DiagnosticReport']);

/** Whether it has entries at all, or is a result: a panel has an entry when none of its members is left. */
const mayShowParts = ({
  entries,
  resource: { resourceType: type },
  redactions,
  body,
}: VariantInput): boolean =>
  (entries.length > 0 || RESULTS.has(type)) &&
  redactions.length > 0 &&
  (BILLS.has(type) || redactions.some(isCertain) || body.includes('"display"'));

interface ShownParts {
  parts: RedactedPart[];
  /** The entries without them. */
  built: readonly Entry[];
}

/** Returns what cuts a text by its bytes; of one in ASCII these are its characters. */
function createCut(text: string): (start: number, end: number) => string {
  if (Buffer.byteLength(text) === text.length) return (start, end) => text.slice(start, end);
  const bytes = Buffer.from(text);
  return (start, end) => bytes.toString('utf8', start, end);
}

/**
 * Finds the parts that the entries show, or may show with others; null where the entries are the same without them. Of a
 * bill, whose entry names the first of what was billed, most parts are not shown: these stand in no variant, unless the
 * entries show more than texts of parts that are found in them, such as our own name of a code.
 */
function findShownParts(input: VariantInput, whole: string): ShownParts | null {
  const { resource, body, redactions } = input;
  const cut = createCut(body);
  const isShown = ({ start, end }: RedactedPart): boolean => showsValue(whole, cut(start, end));
  const isBill = BILLS.has(resource.resourceType);
  const parts = isBill ? [...redactions] : redactions.filter((part) => isCertain(part) || isShown(part));
  if (parts.length === 0) return null;
  const all = { parts, built: buildWithout(input, parts) };
  const withoutAll = serializeText(all.built);
  if (withoutAll === whole) return null;
  if (!isBill) return all;
  const kinds = new Set<DataMask>();
  for (const part of redactions)
    if (!kinds.has(part.requiredLabels) && isShown(part)) kinds.add(part.requiredLabels);
  const found = redactions.filter((part) => kinds.has(part.requiredLabels));
  if (found.length === 0 || found.length === redactions.length) return all;
  const built = buildWithout(input, found);
  return serializeText(built) === withoutAll ? { parts: found, built } : all;
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
