import type { ToolText } from '../tool-texts.ts';

/** A row, a line or a section of an answer: what a reader takes in at one glance. */
export interface Unit {
  tool: string;
  /** Its own words, normalized. */
  line: string;
  /** With its headings, the heads of its columns and the sentence above it. */
  whole: string;
  references: string[];
  /** First and last day of what a row sums up. */
  span: { from: string; until: string } | null;
}

/** One spelling for all: no escapes, no case, one blank between words and signs. */
export function normalize(text: string): string {
  return text
    .replace(/\\([\\`*_{}[\]()#+.!|<>~&-])/g, '$1')
    .normalize('NFKC')
    .replace(/(?<=\d{4}-\d\d-\d\d)T(?=\d\d:)/g, ' ')
    .toLowerCase()
    .replace(/(?<!\d)[.](?!\d)|(?<=\d)[.](?!\d)/g, ' ')
    .replace(/[^\p{L}\p{N}.%]+/gu, ' ')
    .trim();
}

const REFERENCE = /\b[A-Z][A-Za-z]+\/[A-Za-z0-9.-]{1,64}/g;
const DAY = '(\\d{4}(?:-\\d\\d(?:-\\d\\d)?)?)';
const SPAN = new RegExp(`${DAY}(?: \\d\\d:\\d\\d)? (?:to|–|until) ${DAY}`);

/** Takes an answer apart. What is shown in a section of its own (`get_details`) is a unit as a whole, too. */
export function readUnits({ tool, text }: ToolText): Unit[] {
  const units: Unit[] = [];
  const headings: string[] = [];
  let above: string[] = [];
  let heads = '';
  let section: string[] = [];
  const flush = (): void => {
    if (section.length > 1) units.push(createUnit(tool, section.join('\n'), headings.join('\n')));
    section = [];
  };
  for (const line of text.split('\n')) {
    const heading = /^(#{1,6}) (.*)/.exec(line);
    if (heading) {
      flush();
      headings.splice((heading[1]?.length ?? 1) - 1, Infinity, heading[2] ?? '');
      above = [];
      heads = '';
      continue;
    }
    if (line.trim() === '' || /^\|( ?:?-+:? ?\|)+$/.test(line)) continue;
    section.push(line);
    if (!line.startsWith('|')) {
      heads = '';
      units.push(createUnit(tool, line, [...headings, ...above].join('\n')));
      above = [line];
    } else if (heads === '') heads = line;
    else units.push(createUnit(tool, line, [...headings, ...above, heads].join('\n')));
  }
  flush();
  return units;
}

function createUnit(tool: string, line: string, context: string): Unit {
  const [, from, until] = SPAN.exec(line) ?? [];
  return {
    tool,
    line: ` ${normalize(line)} `,
    whole: ` ${normalize(context)} ${normalize(line)} `,
    references: [line, ...(tool === 'get_details' ? [context] : [])].flatMap((text) => [
      ...(text.match(REFERENCE) ?? []),
    ]),
    span: from !== undefined && until !== undefined ? { from, until } : null,
  };
}
