import fs from 'node:fs';
import path from 'node:path';
import { CONCEPT_KINDS, ConceptLine, type ConceptRow } from './concept.ts';
import { compileVocabulary, type Vocabulary } from './vocabulary.ts';

const FOLDER = path.join(import.meta.dirname, 'vocabulary');

/** Reads the rows of all files; throws with the file and line of one that is no concept. */
export const readConceptRows = (): ConceptRow[] =>
  CONCEPT_KINDS.flatMap((kind) => {
    const file = path.join(FOLDER, `${kind}.jsonl`);
    if (!fs.existsSync(file)) return [];
    return fs
      .readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line, index) =>
        line.trim() === '' ? [] : { ...parseRow(line, `${kind}.jsonl:${index + 1}`), kind },
      );
  });

function parseRow(line: string, where: string): ConceptLine {
  try {
    return ConceptLine.parse(JSON.parse(line));
  } catch (cause) {
    throw new Error(`The vocabulary has a fault at ${where}.`, { cause });
  }
}

/** Reads the vocabulary when it is asked for first: a service that is only started needs none. */
export function createVocabularyReader(): () => Vocabulary {
  let vocabulary: Vocabulary | undefined;
  return () => (vocabulary ??= compileVocabulary(readConceptRows()));
}
