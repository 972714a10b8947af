import fs from 'node:fs';
import path from 'node:path';
import { createInSteps, type MadeInSteps } from '../../platform/kernel/made-in-steps.ts';
import { CONCEPT_KINDS, type ConceptKind, type ConceptLine, type ConceptRow } from './concept.ts';
import { compileInSteps, type ConceptRows, type Vocabulary } from './vocabulary.ts';

const FOLDER = path.join(import.meta.dirname, 'vocabulary');

/** The rows of all files; throws with the file and line of one that is no JSON. Their form is held by a test, like code's. */
export function readConceptRows(): ConceptRow[] {
  const rows = packRows(CONCEPT_KINDS.flatMap(readFile));
  return Array.from({ length: rows.size }, (_, index) => rows.get(index));
}

/** A row as it is written: bytes of its file. */
interface WrittenRow {
  kind: ConceptKind;
  bytes: Buffer;
  start: number;
  end: number;
}

/** Finds the lines of a file that hold something. */
function readFile(kind: ConceptKind): WrittenRow[] {
  const file = path.join(FOLDER, `${kind}.jsonl`);
  if (!fs.existsSync(file)) return [];
  const bytes = fs.readFileSync(file);
  const rows: WrittenRow[] = [];
  for (let start = 0; start < bytes.length;) {
    const found = bytes.indexOf(0x0a, start);
    const end = found === -1 ? bytes.length : found;
    if (end - start > 1) rows.push({ kind, bytes, start, end });
    start = end + 1;
  }
  return rows;
}

/** Rows are parsed when they are asked for, from the bytes of their files. */
function packRows(rows: readonly WrittenRow[]): ConceptRows {
  const files = [...new Map(rows.map(({ kind, bytes }) => [kind, bytes]))];
  const indexes = new Map(files.map(([kind], index) => [kind, index]));
  const fileIndexes = Uint8Array.from(rows, ({ kind }) => indexes.get(kind) as number);
  const starts = Uint32Array.from(rows, ({ start }) => start);
  const ends = Uint32Array.from(rows, ({ end }) => end);
  return {
    size: rows.length,
    get(index) {
      const [kind, bytes] = files[fileIndexes[index] as number] as [ConceptKind, Buffer];
      const start = starts[index] as number;
      return { ...parseRow(bytes, { kind, start, end: ends[index] as number }), kind };
    },
  };
}

function parseRow(bytes: Buffer, { kind, start, end }: Omit<WrittenRow, 'bytes'>): ConceptLine {
  try {
    return JSON.parse(bytes.toString('utf8', start, end)) as ConceptLine;
  } catch (cause) {
    const line = bytes.toString('latin1', 0, start).split('\n').length;
    throw new Error(`The vocabulary has a fault at ${kind}.jsonl:${line}.`, { cause });
  }
}

function* readInSteps(): Generator<void, Vocabulary> {
  const rows: WrittenRow[] = [];
  for (const kind of CONCEPT_KINDS) {
    rows.push(...readFile(kind));
    yield;
  }
  return yield* compileInSteps(packRows(rows));
}

/** The vocabulary of the thread: read when it is asked for first, or before that where a service prepares itself. */
export const VOCABULARY: MadeInSteps<Vocabulary> = createInSteps(readInSteps);
