import type { DataMask } from '../../../../contract/brands.ts';
import type { ContextFact } from '../../../clinical/entries/entry-link.ts';
import type {
  ReferencedEntry,
  ReferencedName,
  ReferencedResource,
} from '../../../clinical/queries/details.sql.ts';
import { redactBody } from '../../../clinical/labels/redact.ts';
import { parseResource } from '../../../clinical/store/parse-resource.ts';
import { renderAnswer } from './answer-text.ts';
import { formatPeriod } from './date-text.ts';
import { renderDisagreements } from './disagreement.ts';
import { renderContent } from './entry-content.ts';
import { escapeInline } from './escape-markdown.ts';
import { fitsOneAnswer } from './fit-length.ts';
import { buildFactTable, join, joinParagraphs, pluralize, type Block } from './markdown.ts';
import { formatName } from './name-text.ts';
import { renderProvenance } from './provenance.ts';
import { formatReference } from './reference-text.ts';
import { renderResource } from './resource-text.ts';
import { renderInRecord, renderWithheldNote } from './withheld-text.ts';

export interface DetailsInput {
  /** As the caller wrote them. */
  references: readonly string[];
  resources: readonly ReferencedResource[];
  names: readonly ReferencedName[];
  entries: readonly ReferencedEntry[];
  members: readonly ReferencedEntry[];
  /** The line about what is on its way into the record. */
  pending: string | null;
  /** The mask of labels that the consent withholds. */
  withheld: DataMask;
}

/** Renders each reference in the order of the caller, as many as fit one answer, and names those that are left out. */
export function renderDetails(input: DetailsInput): string {
  const { references, pending, withheld } = input;
  const parts = references.map((_, place) => renderReferenced(input, place));
  for (let count = parts.length; count > 0; count--) {
    const text = render(parts.slice(0, count), references.slice(count), input);
    if (fitsOneAnswer(text)) return text;
  }
  // A single resource longer than an answer: as many of its fields as fit.
  const lines = (parts[0] ?? []).flatMap((block) => (typeof block === 'string' ? block.split('\n') : []));
  for (let kept = lines.length; ; kept = Math.floor(kept * 0.8)) {
    const cut = [...lines.slice(0, kept), `- … ${pluralize(lines.length - kept, 'further line')} not shown`];
    const text = renderAnswer(['# Details', pending, cut.join('\n')], renderWithheldNote(withheld));
    if (kept === 0 || fitsOneAnswer(text)) return text;
  }
}

const render = (
  parts: readonly (readonly Block[])[],
  left: readonly string[],
  { pending, withheld, entries }: DetailsInput,
): string =>
  renderAnswer(
    ['# Details', pending, ...parts],
    renderDisagreements(entries),
    left.length === 0
      ? null
      : `More than one answer holds; ask again for: ${left.map((each) => escapeInline(each, 120)).join(', ')}.`,
    renderWithheldNote(withheld),
  );

function renderReferenced(input: DetailsInput, place: number): Block[] {
  const { references, withheld } = input;
  const asked = escapeInline(references[place] ?? '', 120);
  const found = input.resources.filter((resource) => resource.place === place);
  const [first] = found;
  if (first === undefined) return [`## ${asked}`, `Not found ${renderInRecord(withheld)}: ${asked}.`];
  const isWholeType = !asked.includes('/');
  if (first.meant > 1 && !isWholeType)
    return [
      `## ${asked}`,
      `Several begin so: ${found.map(formatReference).join(', ')}. Write more of the id.`,
    ];
  return found.flatMap((resource) => renderFound(input, resource));
}

function renderFound(input: DetailsInput, resource: ReferencedResource): Block[] {
  const entry = input.entries.find(({ reference }) => reference === resource.reference);
  const provenance = { organization: null, ...entry, ...resource };
  const names = new Map(input.names.map((each) => [each.reference, each]));
  const findName = (reference: string): string | null => {
    const target = names.get(reference);
    return target === undefined ? null : join([target.name, `(${formatReference(target)})`], ' ');
  };
  const fields =
    resource.body === null
      ? 'Its fields are too long to be shown here.'
      : renderResource(parseResource(redact(resource, resource.body, input.withheld)), {
          withheld: input.withheld,
          findName,
        });
  const members = input.members.filter(({ place }) => place === resource.place);
  return [
    `## ${escapeInline(resource.reference, 200)}`,
    joinParagraphs(
      join([
        entry === undefined ? null : formatName(entry.title, 200),
        `source: ${renderProvenance([provenance])}`,
        resource.origin === '' ? null : `server: ${escapeInline(resource.origin, 120)}`,
        listAlso(entry),
      ]),
    ),
    fields,
    renderContext(entry?.context ?? []),
    members.length > 1 ? renderMembers(input, resource, members) : null,
  ];
}

/** Leaves out what the resource names of categories that the consent withholds. */
const redact = (resource: ReferencedResource, body: string, withheld: DataMask): string =>
  redactBody(Buffer.from(body), resource, [withheld]).toString();

/** "the same fact: Condition/6d6e1f3a" of duplicates in other sources. */
function listAlso(entry: ReferencedEntry | undefined): string | null {
  const same = (entry?.matches ?? []).filter(({ link }) => link === 'same');
  return same.length === 0 ? null : `the same fact: ${same.map(({ reference }) => reference).join(', ')}`;
}

const ROLE_NAMES: Readonly<Record<ContextFact['role'], string>> = {
  panel: 'part of',
  derived: 'derived from',
  reason: 'reason',
  diagnosis: 'diagnosis',
  order: 'ordered by',
  specimen: 'specimen',
  part: 'part of',
  device: 'device',
};

/** What other resources of the record say about it. */
const renderContext = (context: readonly ContextFact[]): Block =>
  context.length === 0
    ? null
    : [
        'Other resources say of it:',
        context
          .map(
            ({ role, title, text, from }) =>
              `- ${ROLE_NAMES[role]}: ${join([formatName(title, 200), escapeInline(text, 400)])} (${formatReference({ reference: from })})`,
          )
          .join('\n'),
      ];

/** Of measurements a moment is listed only for a mark with a number: a single value is not asked with all others. */
function renderMembers(
  { references }: DetailsInput,
  { place }: ReferencedResource,
  members: readonly ReferencedEntry[],
): Block {
  const isMarked = /\(/.test(references[place] ?? '');
  const isMoment = members.some(({ kind }) => kind === 'lab' || kind === 'vital');
  if (isMoment && !isMarked) return null;
  return [
    `All ${members.length} of ${isMoment ? 'this moment' : 'this group'}:`,
    buildFactTable(
      ['Name', 'Date', 'Content'],
      members.map((entry) => ({
        cells: [formatName(entry.title, 200), formatPeriod(entry), renderContent(entry)],
        entries: [entry],
      })),
    ),
  ];
}
