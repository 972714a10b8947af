import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import {
  listGroupMarks,
  listReferences,
  readDetails,
  readHistory,
  readLifetime,
  readNotes,
  type CallTool,
  type ToolText,
} from '../tool-texts.ts';
import { findFacts, type FoundFact } from './find-facts.ts';
import type { RawResource } from './json.ts';
import { readFacts } from './read-facts.ts';

/** What the tools say of one record. */
export interface RecordMeasures {
  /** Of the summary and all histories in full, by tool. */
  tokens: Record<string, number>;
  facts: FoundFact[];
}

export const OTHER_KINDS = [
  'care_team',
  'care_plan',
  'goal',
  'device',
  'family_history',
  'social_history',
  'survey',
  'imaging',
  'order',
  'coverage',
  'document',
  'other',
];

/** Reads a record with every tool, to its beginning, and looks for all that its resources state. */
export async function measureRecord(
  callTool: CallTool,
  resources: readonly RawResource[],
): Promise<RecordMeasures> {
  const lifetime = await readLifetime(callTool);
  const listings = [...lifetime, ...(await readOthers(callTool)), ...(await readNotes(callTool, lifetime))];
  const stated = readFacts(resources);
  const marks = await readDetails(callTool, ['Patient', ...listGroupMarks(listings)]);
  const listed = findFacts(stated, { listings, details: marks });
  const shown = new Set(listReferences([...listings, ...marks]).map(shorten));
  const missing = listed.filter(({ finding }) => finding === 'missing' || finding === 'summed up');
  const asked = new Set(missing.map(({ resource }) => `${resource.type}/${resource.id}`));
  const details = await readDetails(
    callTool,
    [...asked].filter((reference) => shown.has(shorten(reference))),
  );
  return {
    tokens: countByTool(lifetime),
    facts: findFacts(stated, { listings, details: [...marks, ...details] }),
  };
}

async function readOthers(callTool: CallTool): Promise<ToolText[]> {
  const texts: ToolText[] = [];
  for (const kind of OTHER_KINDS)
    texts.push(...(await readHistory(callTool, 'get_other_records', { kind, years: 150 })));
  return texts;
}

/** As rows give it: the first eight characters of a UUID, other ids whole. */
const shorten = (reference: string): string => reference.replace(/^(\w+\/[0-9a-f]{8})-[0-9a-f-]{27}$/, '$1');

function countByTool(texts: readonly ToolText[]): Record<string, number> {
  const tokens: Record<string, number> = {};
  for (const { tool, text } of texts) tokens[tool] = (tokens[tool] ?? 0) + countTokens(text);
  return tokens;
}
