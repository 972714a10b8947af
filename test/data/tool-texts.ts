import { parseLastLine } from './parse-tables.ts';

/** Runs a tool with full consent and returns its text. */
export type CallTool = (tool: string, input: object) => Promise<string>;

export interface ToolText {
  tool: string;
  input: object;
  text: string;
}

export const HISTORY_TOOLS = [
  'get_conditions',
  'get_medications',
  'get_labs',
  'get_vitals',
  'get_allergies',
  'get_procedures',
  'get_immunizations',
  'get_visits',
] as const;

/** What a reader of a whole life asks for; more than any record holds. */
const LIFETIME = { years: 150 };

/** The words of five questions that every record can be asked. */
export const QUERIES = ['blood pressure', 'allergy', 'surgery', 'medication', 'cancer'];

/** Visits whose notes are read, of the newest. */
const VISITS_READ = 10;

/** Follows `nextBeforeDate` to the beginning of the history, as an agent does that wants all of it. */
export async function readHistory(callTool: CallTool, tool: string, input: object): Promise<ToolText[]> {
  const texts: ToolText[] = [];
  for (let beforeDate: string | null = null; ;) {
    const asked = { ...input, ...(beforeDate !== null && { beforeDate }) };
    const text = await callTool(tool, asked);
    texts.push({ tool, input: asked, text });
    const { nextBeforeDate } = parseLastLine(text);
    if (nextBeforeDate === null) return texts;
    if (beforeDate !== null && nextBeforeDate >= beforeDate)
      throw new Error(`${tool} does not go back: ${nextBeforeDate} after ${beforeDate}`);
    beforeDate = nextBeforeDate;
  }
}

/** What the tools say of a whole record: the summary and every history to its beginning. */
export async function readLifetime(
  callTool: CallTool,
  histories: readonly string[] = HISTORY_TOOLS,
): Promise<ToolText[]> {
  const texts = [{ tool: 'get_health_summary', input: {}, text: await callTool('get_health_summary', {}) }];
  for (const tool of histories) texts.push(...(await readHistory(callTool, tool, LIFETIME)));
  return texts;
}

/** The same in steps of three years, which is what an agent gets that gives no `years`. */
export async function readStepwise(
  callTool: CallTool,
  histories: readonly string[] = HISTORY_TOOLS,
): Promise<ToolText[]> {
  const texts: ToolText[] = [];
  for (const tool of histories) texts.push(...(await readHistory(callTool, tool, {})));
  return texts;
}

/** A few searches, and the notes of the newest visits. */
export async function readSearches(callTool: CallTool, visits: readonly string[]): Promise<ToolText[]> {
  const inputs: [string, object][] = [
    ...QUERIES.map((query): [string, object] => ['search', { query }]),
    ...QUERIES.map((query): [string, object] => ['search_clinical_notes', { query, ...LIFETIME }]),
    ...visits
      .slice(0, VISITS_READ)
      .map((encounterId): [string, object] => ['search_clinical_notes', { encounterId }]),
  ];
  const texts: ToolText[] = [];
  for (const [tool, input] of inputs) texts.push({ tool, input, text: await callTool(tool, input) });
  return texts;
}
