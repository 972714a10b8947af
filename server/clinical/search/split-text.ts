/** The length of a paragraph that is read at a glance. */
const MAX_PART_LENGTH = 1500;

/** "# Plan", "HISTORY OF PRESENT ILLNESS:", "Assessment:" alone on its line. */
const HEADING = /^\s*(#{1,6}\s+\S.*|[A-Z][A-Z0-9 ,/&()'-]{2,60}:?|[A-Z][A-Za-z ]{2,40}:)\s*$/;

/** Splits a note into its sections, each under its heading; long ones into parts that repeat it. */
export function splitSections(text: string): string[] {
  const sections: string[][] = [[]];
  let onlyHeadings = true;
  for (const line of text.split(/\r\n|[\n\r\f\u2028\u2029]/)) {
    const isHeading = HEADING.test(line);
    if (isHeading && !onlyHeadings) {
      sections.push([line]);
      onlyHeadings = true;
    } else {
      sections.at(-1)?.push(line);
      onlyHeadings &&= isHeading || line.trim() === '';
    }
  }
  return sections.flatMap((lines) => splitSection(lines));
}

function splitSection(lines: readonly string[]): string[] {
  const first = lines.findIndex((line) => line.trim() !== '' && !HEADING.test(line));
  const heading = lines
    .slice(0, Math.max(0, first))
    .map((line) => line.trim())
    .filter(Boolean)
    .join('\n')
    .slice(0, 200);
  const parts = splitText(lines.join('\n').trim());
  return parts.map((part, index) => (index === 0 || heading === '' ? part : `${heading}\n${part}`));
}

/** Splits a text into parts of at most 1,500 characters, at a paragraph, a line, a sentence or a word, in this order. */
export function splitText(text: string): string[] {
  const parts: string[] = [];
  let rest = text.trim();
  while (rest.length > MAX_PART_LENGTH) {
    const at = findBreak(rest.slice(0, MAX_PART_LENGTH));
    parts.push(rest.slice(0, at).trim());
    rest = rest.slice(at).trim();
  }
  return [...parts, rest].filter(Boolean);
}

const BREAKS = [/\n\s*\n/g, /\n/g, /[.;!?]\s/g, /\s/g];

function findBreak(head: string): number {
  for (const pattern of BREAKS) {
    const last = [...head.matchAll(pattern)].at(-1);
    if (last !== undefined && last.index > MAX_PART_LENGTH / 2) return last.index + last[0].length;
  }
  return /[\uD800-\uDBFF]$/.test(head) ? head.length - 1 : head.length;
}
