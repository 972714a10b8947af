import Papa, { type Parser, type ParseResult } from 'papaparse';

export interface ReadTable {
  table: string[][];
  delimiter: string;
}

/** How much is parsed before the page gets its turn. */
const CHUNK_CHARACTERS = 1_000_000;

/** Parses a table (RFC 4180) whose delimiter is found, some of it at a time. */
export function readTable(
  text: string,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (rows: number) => void },
): Promise<ReadTable> {
  const delimiter = findDelimiter(text);
  return new Promise((resolve) => {
    const table: string[][] = [];
    Papa.parse<string[]>(text, {
      delimiter,
      skipEmptyLines: false,
      chunkSize: CHUNK_CHARACTERS,
      chunk: ({ data }: ParseResult<string[]>, parser: Parser) => {
        for (const row of data) table.push(row);
        onProgress(table.length);
        if (signal.aborted) {
          parser.abort();
          return;
        }
        parser.pause();
        setTimeout(() => parser.resume());
      },
      complete: () => resolve({ table, delimiter }),
    });
  });
}

/** Comma, semicolon or tab: the one that the first lines have most alike. */
function findDelimiter(text: string): string {
  const lines = text
    .slice(0, 20_000)
    .split(/\r\n|\n|\r/)
    .slice(0, 20);
  const [best = ','] = [',', ';', '\t', '|']
    .map((delimiter) => ({ delimiter, count: countAlike(lines, delimiter) }))
    .sort((one, other) => other.count - one.count)
    .map((found) => found.delimiter);
  return best;
}

function countAlike(lines: readonly string[], delimiter: string): number {
  const counts = lines
    .filter((line) => line.trim() !== '')
    .map((line) => line.replace(/"[^"]*"/g, '').split(delimiter).length - 1);
  return counts.length === 0 ? 0 : Math.min(...counts);
}
