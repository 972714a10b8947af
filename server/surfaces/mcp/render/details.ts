import type { DataMask } from '../../../../contract/brands.ts';
import type { ContextFact } from '../../../clinical/entries/entry-link.ts';
import {
  MAX_NOTE_LENGTH,
  MAX_READ,
  type ReferencedEntry,
  type ReferencedName,
  type ReferencedResource,
} from '../../../clinical/queries/details.sql.ts';
import { findObjection, IN_ERROR, isInError } from '../../../clinical/entries/objection.ts';
import { redactBody } from '../../../clinical/labels/redact.ts';
import { parseResource } from '../../../clinical/store/parse-resource.ts';
import { renderAnswer } from './answer-text.ts';
import { formatFactName } from './context-text.ts';
import { formatDateTime, formatPeriod } from './date-text.ts';
import { renderDisagreements } from './disagreement.ts';
import { renderContent } from './entry-content.ts';
import { escapeInline, fenced } from './escape-markdown.ts';
import { fitsOneAnswer } from './fit-length.ts';
import { buildFactTable, join, joinParagraphs, pluralize, type Block } from './markdown.ts';
import { formatName } from './name-text.ts';
import { renderNarrative } from './narrative-text.ts';
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
  today: string;
  /** What stands over the answer: what is on its way into the record, or was read in part. */
  notice: string | null;
  /** The mask of labels that the consent withholds. */
  withheld: DataMask;
}

/** A resource, or the answer that there is none, and how it is asked for again. */
interface Part {
  mark: string;
  blocks: readonly Block[];
}

/** Renders each reference in the order of the caller, as many as fit one answer, and names those that are left out. */
export function renderDetails(input: DetailsInput): string {
  const { references, notice, withheld } = input;
  const parts = references.flatMap((_, place) => renderReferenced(input, place));
  const shown = parts.filter(({ blocks }) => blocks.length > 0);
  for (let count = shown.length; count > 0; count--) {
    const left = [...shown.slice(count), ...parts.filter(({ blocks }) => blocks.length === 0)];
    const text = render(shown.slice(0, count), left, input);
    if (fitsOneAnswer(text)) return text;
  }
  // A single resource longer than an answer: as many of its fields as fit.
  const lines = (shown[0]?.blocks ?? []).flatMap((block) =>
    typeof block === 'string' && !block.startsWith('```') ? block.split('\n') : [],
  );
  const left = renderLeft(parts.slice(1));
  for (let kept = lines.length; ; kept = Math.floor(kept * 0.8)) {
    const cut = [...lines.slice(0, kept), `- … ${pluralize(lines.length - kept, 'further line')} not shown`];
    const text = renderAnswer(['# Details', notice, cut.join('\n')], left, renderWithheldNote(withheld));
    if (kept === 0 || fitsOneAnswer(text)) return text;
  }
}

const render = (
  shown: readonly Part[],
  left: readonly Part[],
  { notice, withheld, entries, resources }: DetailsInput,
): string =>
  renderAnswer(
    ['# Details', notice, ...shown.map(({ blocks }) => blocks)],
    renderDisagreements(entries),
    renderLeft(left),
    renderUnnamed(resources),
    renderWithheldNote(withheld),
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

/** One part for each resource that a reference means; without blocks where it is only named. */
function renderReferenced(input: DetailsInput, place: number): Part[] {
  const { references, withheld } = input;
  const asked = escapeInline(references[place] ?? '', 120);
  const found = input.resources.filter((resource) => resource.place === place);
  const [first] = found;
  if (first === undefined)
    return [{ mark: asked, blocks: [`## ${asked}`, `Not found ${renderInRecord(withheld)}: ${asked}.`] }];
  const isWholeType = !asked.includes('/');
  if (first.meant > 1 && !isWholeType)
    return [
      {
        mark: asked,
        blocks: [
          `## ${asked}`,
          `Several begin so: ${found.map(formatReference).join(', ')}. Write more of the id.`,
        ],
      },
    ];
  return found.map((resource) => ({
    mark: isWholeType ? formatReference(resource) : asked,
    blocks: resource.nth > MAX_READ ? [] : renderFound(input, resource),
  }));
}

function renderFound(input: DetailsInput, resource: ReferencedResource): Block[] {
  const entry = input.entries.find(({ reference }) => reference === resource.reference);
  const provenance = { organization: null, ...entry, ...resource };
  const parsed =
    resource.body === null ? null : parseResource(redact(resource, resource.body, input.withheld));
  const heading = `## ${escapeInline(resource.reference, 200)}`;
  if (parsed !== null && isInError(parsed)) return [heading, IN_ERROR_NOTE];
  const names = new Map(input.names.map((each) => [each.reference, each]));
  const findName = (reference: string): string | null => {
    const target = names.get(reference);
    return target === undefined ? null : formatTarget(target);
  };
  const fields =
    parsed === null
      ? 'Its fields are too long to be shown here.'
      : renderResource(parsed, { withheld: input.withheld, findName });
  const members = input.members.filter(({ place }) => place === resource.place);
  return [
    heading,
    joinParagraphs(
      join([
        entry === undefined ? null : formatName(entry.title, 200),
        `source: ${renderProvenance([provenance])}`,
        resource.origin === '' ? null : `server: ${escapeInline(resource.origin, 120)}`,
      ]),
    ),
    fields,
    parsed === null ? null : renderNarrative(parsed, { entry, withheld: input.withheld }),
    renderNoteText(entry),
    renderContext(entry?.context ?? []),
    renderDuplicates(entry),
    members.length > 1 ? renderMembers(members, input.today) : null,
  ];
}

const IN_ERROR_NOTE = 'This record was entered in error; what it says is not shown.';

/** "Asthma (Condition/6d6e1f3a)", "Asthma (refuted) (Condition/6d6e1f3a)", "entered in error (Condition/6d6e1f3a)" */
function formatTarget(target: ReferencedName): string {
  const objection = target.body === null ? null : findObjection(parseResource(target.body));
  const words =
    objection === IN_ERROR
      ? ['entered in error']
      : [target.name, objection === null ? null : `(${objection})`];
  return join([...words, `(${formatReference(target)})`], ' ');
}

/** Leaves out what the resource names of categories that the consent withholds. */
const redact = (resource: ReferencedResource, body: string, withheld: DataMask): string =>
  redactBody(Buffer.from(body), resource, [withheld]).toString();

/** The words of a note, which its fields hold encoded. */
function renderNoteText(entry: ReferencedEntry | undefined): Block {
  if (entry?.kind !== 'note' || entry.detail.text === null) return null;
  const { text } = entry.detail;
  return [
    fenced(text),
    text.length < MAX_NOTE_LENGTH
      ? null
      : 'Cut here; `search_clinical_notes` finds passages of the rest, and reads a note of a visit in full.',
  ];
}

/** What other sources state about the same fact: all of them, where a row names three. */
function renderDuplicates(entry: ReferencedEntry | undefined): Block {
  const same = (entry?.matches ?? []).filter(({ link }) => link === 'same');
  if (same.length === 0) return null;
  return [
    'The same fact in other sources:',
    buildFactTable(
      ['Name', 'Date', 'Status'],
      same.map((other) => ({
        cells: [formatName(other.title, 200), formatDateTime(other), escapeInline(other.status, 80)],
        entries: [{ ...other, matches: null }],
      })),
    ),
  ];
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
  replaces: 'replaces',
  replacedBy: 'replaced by',
  appends: 'addendum to',
  appendedBy: 'addendum',
};

/** What other resources of the record say about it. */
const renderContext = (context: readonly ContextFact[]): Block =>
  context.length === 0
    ? null
    : [
        'Other resources say of it:',
        context
          .map(
            (fact) =>
              `- ${ROLE_NAMES[fact.role]}: ${join([formatFactName(fact, 200), escapeInline(fact.text, 400)])} (${formatReference({ reference: fact.from })})`,
          )
          .join('\n'),
      ];

/** Members whose rows are equal share one, which names each of them: a number would lead back to where one comes from. */
function renderMembers(members: readonly ReferencedEntry[], today: string): Block {
  const isMoment = members.some(({ kind }) => kind === 'lab' || kind === 'vital');
  return [
    `All ${members.length} of ${isMoment ? 'this moment' : 'this group'}:`,
    buildFactTable(
      ['Name', 'Date', 'Content'],
      members.map((entry) => ({
        cells: [formatName(entry.title, 200), formatPeriod(entry), renderContent(entry, today)],
        entries: [{ ...entry, groupKey: entry.reference }],
      })),
    ),
  ];
}
