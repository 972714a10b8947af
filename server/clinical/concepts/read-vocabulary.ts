import fs from 'node:fs';
import path from 'node:path';
import { createInSteps, type MadeInSteps } from '../../platform/kernel/made-in-steps.ts';
import { CONCEPT_KINDS, type ConceptKind, type ConceptLine, type ConceptRow } from './concept.ts';
import { compileInSteps, listCodes, type Vocabulary } from './vocabulary.ts';

const FOLDER = path.join(import.meta.dirname, 'vocabulary');

/** The rows of all files; throws with the file and line of one that is no JSON. Their form is held by a test, like code's. */
export const readConceptRows = (): ConceptRow[] => CONCEPT_KINDS.flatMap(readFile);

function readFile(kind: ConceptKind): ConceptRow[] {
  const file = path.join(FOLDER, `${kind}.jsonl`);
  if (!fs.existsSync(file)) return [];
  return fs
    .readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line, index) =>
      line.trim() === '' ? [] : { ...parseRow(line, `${kind}.jsonl:${index + 1}`), kind },
    );
}

function parseRow(line: string, where: string): ConceptLine {
  try {
    return JSON.parse(line) as ConceptLine;
  } catch (cause) {
    throw new Error(`The vocabulary has a fault at ${where}.`, { cause });
  }
}

function* readInSteps(): Generator<void, Vocabulary> {
  const rows: ConceptRow[] = [];
  for (const kind of CONCEPT_KINDS) {
    rows.push(...readFile(kind));
    yield;
  }
  return yield* compileInSteps(rows, () => listCodes(readConceptRows()));
}

/** The vocabulary of the thread: read when it is asked for first, or before that where a service prepares itself. */
export const VOCABULARY: MadeInSteps<Vocabulary> = createInSteps(readInSteps);
