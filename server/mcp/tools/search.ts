import { z } from 'zod';
import { readRecord } from '../../consent/record-access.ts';
import type { Entry } from '../../records/entry.ts';
import { askedWords } from '../../search/asked-words.ts';
import { clustered, type Cluster } from '../../search/rank.ts';
import { searchPassages } from '../../search/search.sql.ts';
import { snippet } from '../../search/snippet.ts';
import { disagreementText } from '../disagreement.ts';
import { disclosure } from '../history.ts';
import { factTable, listed, paragraphs, type Fact } from '../markdown.ts';
import { measurement, vitalText } from '../measure-text.ts';
import { nameText } from '../name-text.ts';
import { inline } from '../record-text.ts';
import { noWords, takenOtherwise } from '../search-words.ts';
import { tool } from '../tool.ts';
import { inRecord, withheldNote } from '../withheld-text.ts';
import { periodOf, span } from '../written-dates.ts';

const MOST_RESULTS = 20;

export const QUERY_FAULT = 'must be a text of 1 to 1000 characters';

export const search = tool({
  name: 'search',
  title: 'Search the record',
  description:
    'Searches all kinds of entries of the record at once: conditions, medications, results, notes, plans and the rest. Best matches first, near-identical ones as one row. Spelling mistakes are tolerated; "quoted words" are searched as a phrase, -word excludes.',
  input: z.strictObject({
    query: z
      .string(QUERY_FAULT)
      .max(1000, QUERY_FAULT)
      .refine((query) => query.trim() !== '', QUERY_FAULT)
      .describe('What to look for, in a few words: a condition, a drug, a test, a complaint.'),
  }),
  async run(deps, access, { query }) {
    const asked = askedWords(query);
    const { rows, consentRecordId, withheld } = await readRecord(deps, access, {
      found: searchPassages(access, asked),
    });
    const { words, hits, total } = rows.found[0] ?? { words: [], hits: [], total: 0 };
    const clusters = clustered(hits);
    const shown = clusters.slice(0, MOST_RESULTS);
    const body =
      words.length === 0
        ? noWords
        : paragraphs(
            takenOtherwise(words, withheld),
            shown.length > 0 && !hits.some(({ every }) => every) && words.length > 1
              ? 'No single passage holds all of these words; these results hold some of them.'
              : null,
            shown.length > 0
              ? resultTable(
                  shown,
                  words.map(({ taken }) => taken),
                )
              : `Nothing ${inRecord(withheld)} matches. Fewer or more general words find more.`,
            disagreementText(shown.map(({ hit }) => hit.entry)),
            countText(shown.length, clusters.length, total > hits.length),
          );
    return {
      text: paragraphs(`# Search: ${inline(query, 120)}`, body, withheldNote(withheld)),
      consentRecordId,
      audit: disclosure(shown.map(({ hit, firstDay, lastDay }) => ({ ...hit.entry, firstDay, lastDay }))),
    };
  },
});

function countText(shown: number, all: number, more: boolean): string | null {
  if (shown === 0) return null;
  if (shown === all && !more) return all === 1 ? '1 result' : `${all} results`;
  return `The best ${shown} of ${more ? 'more than ' : ''}${all} results; more specific words narrow them down.`;
}

function resultTable(clusters: readonly Cluster[], words: readonly string[]): string {
  const fact = (cluster: Cluster): Fact => ({
    cells: [
      typeOf(cluster.hit.entry),
      nameText(cluster.hit.entry.title, 200),
      periodOf(cluster.hit.entry),
      inline(told(cluster, words), 300),
      similar(cluster),
    ],
    entries: [cluster.hit.entry],
  });
  return factTable(['Type', 'Title', 'Date', 'Says', 'Similar'], clusters.map(fact));
}

const TYPES: Readonly<Record<Exclude<Entry['kind'], 'other'>, string>> = {
  condition: 'Condition',
  medication: 'Medication',
  lab: 'Laboratory result',
  vital: 'Vital sign',
  allergy: 'Allergy',
  procedure: 'Procedure',
  immunization: 'Immunization',
  visit: 'Visit',
  note: 'Note',
  social: 'Social history',
};

/** "CarePlan" → "Care plan" */
const typeOf = (entry: Entry): string =>
  entry.kind === 'other'
    ? inline(
        entry.detail.type.replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`),
        60,
      )
    : TYPES[entry.kind];

/** What the entry says beyond its title: its value or state, and the words around the hit. */
function told({ hit }: Cluster, words: readonly string[]): string {
  const { entry, body } = hit;
  const around = snippet(entry.kind === 'note' ? body : body.replaceAll('\n', '; '), words);
  if (entry.kind === 'vital') return vitalText(entry);
  if (entry.kind === 'lab' || entry.kind === 'social') return measurement(entry.detail);
  if (entry.kind === 'note' || entry.kind === 'other' || entry.kind === 'visit') return around;
  if (entry.kind === 'immunization') return entry.detail.notDone ? `not given; ${around}` : around;
  const status =
    entry.kind === 'condition' || entry.kind === 'allergy' ? entry.detail.clinicalStatus : entry.status;
  return listed([status ?? 'status not told', around]);
}

/** "and 13 more, 2012 to 2020" */
function similar({ times, firstDay, lastDay }: Cluster): string {
  if (times === 1) return '';
  return `and ${times - 1} more, ${span(firstDay?.slice(0, 4) ?? null, lastDay?.slice(0, 4) ?? null)}`;
}
