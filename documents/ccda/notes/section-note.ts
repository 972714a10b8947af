import { toCodings } from '../concepts.ts';
import { getChild } from '../elements.ts';
import { listNarrativeLines, renderNarrative } from '../render-narrative.ts';
import { isRawNumber } from '../fhir-values.ts';
import type { PositionedResource } from '../resource-list.ts';
import type { Context, Section } from '../section.ts';
import { addNote } from './add-note.ts';
import { hasClinicalContent } from './has-clinical-content.ts';
import { collectStatements } from './statements.ts';
import { findUnstatedLines } from './unstated-lines.ts';

/** Adds the narrative of a section as a note, unless it only says that there is no information. */
export function addSectionNote(section: Section, context: Context): void {
  const narrative = getChild(section.element, 'text');
  if (!hasClinicalContent(renderNarrative(narrative, { headings: false }))) return;
  addNarrative(section, context, renderNarrative(narrative));
}

/**
 * Adds what the narrative says and the resources of its entries do not: it is what the author signed (C-CDA R2.1 §2.5), and
 * a list of three findings may stand beside an entry for one. What they say is left out, so that no tool says it twice.
 */
export function addUnstatedNote(
  section: Section,
  context: Context,
  resources: readonly PositionedResource[],
): void {
  const narrative = listNarrativeLines(getChild(section.element, 'text'));
  const own = resources.map(({ resource }) => collectTexts(resource));
  const named = new Set(own.flatMap(({ references }) => references));
  const people = context.resources.items
    .filter(({ resource }) => PEOPLE.has(resource.resourceType))
    .filter(
      ({ resource: { resourceType, id } }, index) =>
        index < MAX_OTHER_PEOPLE || named.has(`${resourceType}/${id}`),
    );
  const statements = collectStatements([
    [section.title ?? ''],
    ...[...people.map(({ resource }) => collectTexts(resource)), ...own].map(({ texts }) => texts),
  ]);
  const text = findUnstatedLines(narrative, statements).join('\n');
  if (hasClinicalContent(text)) addNarrative(section, context, text);
}

/** Who did something and where; each is made once, at its first place in the document: its header, or an earlier section. */
const PEOPLE = new Set(['Practitioner', 'Organization', 'Location']);
/** People whom no entry of a section names, so that thousands are not compared with each of thousands of sections. */
const MAX_OTHER_PEOPLE = 200;

interface CollectedTexts {
  texts: string[];
  references: string[];
}

/** Collects what a resource says, without its id, which says nothing. */
function collectTexts(
  value: unknown,
  collected: CollectedTexts = { texts: [], references: [] },
): CollectedTexts {
  const { texts, references } = collected;
  if (typeof value === 'string') texts.push(value);
  else if (typeof value === 'number') texts.push(String(value));
  else if (Array.isArray(value)) for (const member of value) collectTexts(member, collected);
  else if (isRawNumber(value)) texts.push(value.rawJSON);
  else if (typeof value === 'object' && value !== null)
    for (const [name, member] of Object.entries(value))
      if (name === 'reference') references.push(String(member));
      else if (name === 'data') texts.push(Buffer.from(String(member), 'base64').toString());
      else if (name !== 'id') collectTexts(member, collected);
  return collected;
}

function addNarrative(section: Section, context: Context, text: string): void {
  addNote(context, section.position, {
    text,
    title: section.title,
    type: { coding: toCodings(getChild(section.element, 'code')), text: section.title },
    author: context.people.findAuthor(section.element)?.who,
  });
}
