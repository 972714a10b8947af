import {
  MAX_GROUP_MEMBERS,
  MAX_READ,
  type NamedReference,
  type ReferencedResource,
} from '../../../clinical/queries/details.sql.ts';
import { renderAnswer } from './answer-text.ts';
import { renderDisagreements } from './disagreement.ts';
import { findLargest } from './find-largest.ts';
import { fitsOneAnswer, MAX_RESULT_LENGTH } from './fit-length.ts';
import type { Block } from './markdown.ts';
import { formatPlace } from './read-on.ts';
import { formatReference } from './reference-text.ts';
import { readDetails, type DetailsRead, type ResourceDetails, type View } from './resource-details.ts';
import { renderInRecord, renderWithheldNote } from './withheld-text.ts';

export interface DetailsInput extends DetailsRead {
  references: readonly NamedReference[];
  /** What stands over the answer: what is on its way into the record, or was read in part. */
  notice: string | null;
}

/** What stands for a reference, and how it is asked for again; without details a sentence, or nothing where it is only named. */
interface Part {
  mark: string;
  details: ResourceDetails | null;
  sentence: Block;
}

/** How long values and texts are: as long as all of them fit one answer. */
const VALUE_LENGTHS = [40_000, 16_000, 6_000, 1_500];
const SHORT_VIEW: View = { valueLength: 1_500, fields: Infinity, entries: Infinity, hasRest: true };

/**
 * Renders each reference in the order of the caller: whole where that fits one answer, else with shorter values, else as many
 * references as fit. What is cut, and what is left out, says how it is asked for.
 */
export function renderDetails(input: DetailsInput): string {
  const parts = input.references.flatMap((named, place) => buildParts(input, named, place));
  const shown = parts.filter(({ details, sentence }) => details !== null || sentence !== null);
  const named = parts.filter((part) => !shown.includes(part));
  const renderSome = (count: number, view: View): string | null =>
    renderIfFits(shown.slice(0, count), [...shown.slice(count), ...named], { input, view });
  for (const valueLength of VALUE_LENGTHS) {
    const text = renderSome(shown.length, { ...SHORT_VIEW, valueLength });
    if (text !== null) return text;
  }
  const count = findLargest(shown.length - 1, (some) => renderSome(some, SHORT_VIEW) !== null);
  return (count === 0 ? null : renderSome(count, SHORT_VIEW)) ?? renderFirst([...shown, ...named], input);
}

/** Renders a single resource longer than an answer: as much of its group as fits, else as many of its fields. */
function renderFirst([first, ...left]: readonly Part[], input: DetailsInput): string {
  const shown = first === undefined ? [] : [first];
  const renderView = (view: View): string => render(shown, left, { input, view });
  const fits = (view: View): boolean => renderIfFits(shown, left, { input, view }) !== null;
  const withoutGroup = { ...SHORT_VIEW, entries: 0 };
  if (fits(withoutGroup)) {
    const entries = findLargest(MAX_GROUP_MEMBERS, (entries) => fits({ ...SHORT_VIEW, entries }));
    return renderView({ ...SHORT_VIEW, entries });
  }
  const view = { ...withoutGroup, hasRest: false };
  const fields = findLargest(first?.details?.fields ?? 0, (fields) => fits({ ...view, fields }));
  return renderView({ ...view, fields });
}

interface Rendering {
  input: DetailsInput;
  view: View;
}

/** Megabytes are not escaped only to be found too long; of white space escaping leaves a part. */
const MAX_MEASURED = 4 * MAX_RESULT_LENGTH;

function renderIfFits(shown: readonly Part[], left: readonly Part[], rendering: Rendering): string | null {
  const length = shown.reduce((sum, { details }) => sum + (details?.measure(rendering.view) ?? 0), 0);
  if (length > MAX_MEASURED) return null;
  const text = render(shown, left, rendering);
  return fitsOneAnswer(text) ? text : null;
}

const render = (shown: readonly Part[], left: readonly Part[], { input, view }: Rendering): string =>
  renderAnswer(
    ['# Details', input.notice, ...shown.map(({ details, sentence }) => details?.render(view) ?? sentence)],
    renderDisagreements(input.entries),
    renderLeft(left),
    renderUnnamed(input.resources),
    renderWithheldNote(input.withheld),
  );

const renderLeft = (left: readonly Part[]): string | null =>
  left.length === 0
    ? null
    : `More than one answer holds; ask again for: ${left.map(({ mark }) => mark).join(', ')}.`;

/** What is not even named, of a type that was asked for as a whole. */
function renderUnnamed(resources: readonly ReferencedResource[]): string | null {
  const last = new Map(resources.map((resource) => [resource.place, resource]));
  const unnamed = [...last.values()].filter(({ meant, nth }) => nth > MAX_READ && meant > nth);
  return unnamed.length === 0
    ? null
    : unnamed
        .map(
          ({ reference, meant, nth }) =>
            `${meant - nth} more of ${reference.split('/')[0]} are not named here.`,
        )
        .join(' ');
}

/** Builds one part for each resource that a reference means. */
function buildParts(input: DetailsInput, named: NamedReference, place: number): Part[] {
  const asked = named.id === null ? named.type : `${named.type}/${named.id}`;
  const found = input.resources.filter((resource) => resource.place === place);
  const [first] = found;
  const say = (sentence: string): Part[] => [
    { mark: asked, details: null, sentence: [`## ${asked}`, sentence] },
  ];
  if (first === undefined) return say(`Not found ${renderInRecord(input.withheld)}: ${asked}.`);
  if (first.meant > 1 && named.id !== null)
    return say(`Several begin so: ${found.map(formatReference).join(', ')}. Write more of the id.`);
  return found.map((resource) => {
    const details = resource.nth > MAX_READ ? null : readDetails(input, resource, named);
    return {
      mark: details === null ? formatReference(resource) : formatPlace(details.place),
      details,
      sentence: null,
    };
  });
}
