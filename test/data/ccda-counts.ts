import { join } from 'node:path';
import { xpath } from '../harness/xpath.ts';
import { parseXmlDocument } from 'slimdom';
import { HL7_V3_NS } from '../../documents/ccda/elements.ts';
import { parseCda } from '../../documents/ccda/parse-cda.ts';
import { readCcda } from '../../documents/ccda/convert-ccda.ts';
import { converters } from '../../documents/converters.ts';
import { listSections } from '../../documents/ccda/list-sections.ts';
import { decodeText } from '../../documents/text/decode-text.ts';
import { DATA_FOLDER, readZipFiles, type File } from './sample-data.ts';

/** The sections that C-CDA gives coded entries, by LOINC, and where in an entry a single fact stands. */
const SECTIONS: readonly { name: string; code: string; facts: string }[] = [
  { name: 'problems', code: '11450-4', facts: 'entry/(act/entryRelationship/observation|observation)' },
  { name: 'allergies', code: '48765-2', facts: 'entry/act/entryRelationship/observation' },
  { name: 'medications', code: '10160-0', facts: 'entry/(.|organizer/component)/substanceAdministration' },
  { name: 'results', code: '30954-2', facts: 'entry/organizer/component/observation' },
  { name: 'vital signs', code: '8716-3', facts: 'entry/organizer/component/observation' },
  { name: 'immunizations', code: '11369-6', facts: 'entry/substanceAdministration' },
  { name: 'procedures', code: '47519-4', facts: 'entry/*' },
  { name: 'encounters', code: '46240-8', facts: 'entry/encounter' },
  { name: 'social history', code: '29762-2', facts: 'entry/observation' },
];

/** One kind of section in one folder: what XPath finds of it, and what it was read into. */
export interface SectionCounts {
  name: string;
  sections: number;
  entries: number;
  facts: number;
  /** Entries of which there is a resource. */
  converted: number;
  /** By type; notes are DocumentReferences. */
  made: Map<string, number>;
  /** Entries without a resource, by reason. */
  skipped: Map<string, number>;
}

export interface FolderCounts {
  folder: string;
  documents: number;
  sections: SectionCounts[];
  /** Sections with words and no entries, and the notes made of sections. */
  narrative: { sections: number; notes: number };
  made: Map<string, number>;
}

const documentId = '11111111-1111-8111-8111-111111111111';
const XPATH = { namespaceResolver: (): string => HL7_V3_NS };

/** Reads every whole document of a folder (a zip of ../shared/data/ccda). */
export async function countFolder(zip: string): Promise<FolderCounts> {
  const counts: FolderCounts = {
    folder: zip.replace(/\.zip$/, ''),
    documents: 0,
    sections: SECTIONS.map(({ name }) => ({
      name,
      sections: 0,
      entries: 0,
      facts: 0,
      converted: 0,
      made: new Map(),
      skipped: new Map(),
    })),
    narrative: { sections: 0, notes: 0 },
    made: new Map(),
  };
  for (const { path, bytes } of await readZipFiles(join(DATA_FOLDER, 'ccda', zip))) {
    if (/<ClinicalDocument[\s>]/.test(decodeText(bytes).text)) await countDocument({ path, bytes }, counts);
  }
  return counts;
}

async function countDocument({ path, bytes }: File, counts: FolderCounts): Promise<void> {
  const tree = parseXmlDocument(decodeText(bytes).text);
  const count = (path: string): number =>
    xpath.evaluateXPathToNumber(`count(${path})`, tree, null, {}, XPATH);
  const { items: placed, skipped } = await readCcda({ bytes, path, documentId }, converters);
  const made = placed.map(({ resource, position }) => ({ type: resource.resourceType, position }));
  const findSection = new Map(listSections(parseCda(bytes)).map(({ position, code }) => [position, code]));
  counts.documents++;
  for (const { type } of made) add(counts.made, type);
  counts.narrative.sections += count("//section[not(entry) and normalize-space(text) != '']");
  counts.narrative.notes += made.filter(({ position }) => findSection.has(position)).length;
  for (const [index, { code, facts }] of SECTIONS.entries()) {
    const found = counts.sections[index] as SectionCounts;
    const section = `//section[code/@code = '${code}']`;
    found.sections += count(section);
    found.entries += count(`${section}/entry[*]`);
    found.facts += count(`${section}/${facts}`);
    const own = made.filter(
      ({ position }) => findSection.get(position.replace(/\.entry\[\d+\]$/, '')) === code,
    );
    for (const { type } of own) add(found.made, type);
    found.converted += new Set(
      own.map(({ position }) => position).filter((one) => !findSection.has(one)),
    ).size;
    for (const { reason } of skipped.filter((one) => one.section === code)) add(found.skipped, reason);
  }
}

function add(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

/** "problems: 38 sections, 51 entries, 62 facts: 62 Condition; left out: 2 null_flavored" */
export function formatCounts({ name, sections, entries, facts, made, skipped }: SectionCounts): string {
  const left = skipped.size === 0 ? '' : `; left out: ${joinCounts(skipped)}`;
  return `${name}: ${sections} sections, ${entries} entries, ${facts} facts: ${joinCounts(made) || 'nothing'}${left}`;
}

/** The table of the documentation: a row for each folder and kind of section. */
export function markdownTable(folders: readonly FolderCounts[]): string {
  const rows = folders.flatMap(({ folder, documents, sections, narrative }) => [
    ...sections
      .filter((one) => one.sections > 0)
      .map((one) =>
        [
          folder,
          one.name,
          one.sections,
          one.entries,
          one.facts,
          joinCounts(one.made) || '–',
          joinCounts(one.skipped) || '–',
        ].join(' | '),
      ),
    `${folder} (${documents} documents) | narrative alone | ${narrative.sections} | 0 | – | ${narrative.notes} notes | –`,
  ]);
  return [
    '| folder | section | sections | entries | facts in them | resources | entries without a resource |',
    '|---|---|---|---|---|---|---|',
    ...rows.map((row) => `| ${row} |`),
    '',
  ].join('\n');
}

const joinCounts = (counts: ReadonlyMap<string, number>): string =>
  [...counts]
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([name, count]) => `${count} ${name}`)
    .join(', ');
