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

/** The references that the rows of some answers give, each once. */
export function listReferences(texts: readonly ToolText[]): string[] {
  const found = texts.flatMap(({ text }) => [...text.matchAll(/\b[A-Z][A-Za-z]+\/[A-Za-z0-9.-]{1,64}/g)]);
  return [...new Set(found.map(([reference]) => reference))];
}

/** References that one call of `get_details` takes. */
const DETAILS_AT_ONCE = 20;

/** Reads the details of references, asking again for those that an answer left out. */
export async function readDetails(callTool: CallTool, references: readonly string[]): Promise<ToolText[]> {
  const texts: ToolText[] = [];
  for (let open = [...references]; open.length > 0;) {
    const input = { references: open.slice(0, DETAILS_AT_ONCE) };
    const text = await callTool('get_details', input);
    texts.push({ tool: 'get_details', input, text });
    const [, rest = ''] = /^More than one answer holds; ask again for: (.*)\.$/m.exec(text) ?? [];
    const again = rest === '' ? [] : rest.split(', ');
    if (input.references.every((each) => again.includes(each)))
      throw new Error(`get_details gives nothing of ${rest}`);
    open = [...again, ...open.slice(DETAILS_AT_ONCE)];
  }
  return texts;
}

/** The marks of rows that stand for several facts, or for one of several sources: "MedicationRequest/7bd17815 (66)". */
export function listGroupMarks(texts: readonly ToolText[]): string[] {
  const found = texts.flatMap(({ text }) => [
    ...text.matchAll(/\b[A-Z][A-Za-z]+\/[A-Za-z0-9.-]{1,64} \((?:\d+(?:;[^()|]*)?|also [^()|]*)\)/g),
  ]);
  return [...new Set(found.map(([mark]) => mark))];
}

/** Reads the notes of every visit that the histories show. */
export async function readNotes(callTool: CallTool, histories: readonly ToolText[]): Promise<ToolText[]> {
  const visits = listReferences(histories.filter(({ tool }) => tool === 'get_visits')).filter((each) =>
    each.startsWith('Encounter/'),
  );
  const texts: ToolText[] = [];
  for (const encounterId of visits) {
    const input = { encounterId };
    texts.push({
      tool: 'search_clinical_notes',
      input,
      text: await callTool('search_clinical_notes', input),
    });
  }
  return texts;
}
