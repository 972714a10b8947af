import type { ConsentedAccess } from '../../server/consent/access/record-access.ts';
import type { EmbedQuestion } from '../../server/clinical/search/embeddings/embed-question.ts';
import type { ReadQuestion } from '../../server/clinical/search/question/read-question.ts';
import type { Db } from '../../server/platform/db/db.ts';
import { sql } from '../../server/platform/db/sql.ts';
import { search } from '../../server/surfaces/mcp/tools/search.ts';
import { parseResource, textAt, type JsonObject } from '../data/facts/json.ts';
import type { GradedQuery } from './graded-queries.ts';
import { readTraits, type Traits } from './relevance.ts';
import { scoreAnswer, type Score } from './score.ts';

/** A record as answers refer to it. */
interface GradedRecord {
  access: ConsentedAccess;
  traits: ReadonlyMap<string, Traits>;
}

export interface ScoredQuery {
  query: GradedQuery;
  score: Score;
  text: string;
}

interface EvaluationDeps {
  db: Db;
  readQuestion: ReadQuestion;
  embedQuestion?: EmbedQuestion;
}

/** The day of the sample data's guide. */
const TODAY = new Date('2026-11-20T12:00:00Z');

/** Asks the tool and scores the rows of its table, as a reader finds them. */
export async function evaluateQuery(
  { db, readQuestion, embedQuestion = async () => null }: EvaluationDeps,
  { access, traits }: GradedRecord,
  query: GradedQuery,
): Promise<ScoredQuery> {
  const deps = {
    db,
    clock: { now: () => TODAY },
    consentAppUrl: 'https://chart.example/consent',
    readQuestion,
    embedQuestion,
  };
  const { text } = await search.run(deps, access, { query: query.query });
  return { query, score: scoreAnswer(query, readRows(text, traits)), text };
}

export async function readGradedRecord(db: Db, access: ConsentedAccess): Promise<GradedRecord> {
  const rows = await db.query(sql<{ reference: string; body: string }>`
    select resource_type || '/' || source_id as reference, body from resource where patient_id = ${access.patientId}`);
  const resources = new Map<string, JsonObject>(
    rows.map(({ reference, body }) => [reference, parseResource(body)]),
  );
  const toTraits = (resource: JsonObject): Traits =>
    readTraits(resource, resources.get(textAt(resource, 'medicationReference.reference') ?? '') ?? null);
  return {
    access,
    traits: new Map([...resources].map(([reference, resource]) => [reference, toTraits(resource)])),
  };
}

const REFERENCE = /\b[A-Z][A-Za-z]+\/[A-Za-z0-9.-]{1,64}/g;

/** The resources of each row of the answer's tables, the headings and lines between left out. */
function readRows(text: string, traits: ReadonlyMap<string, Traits>): Traits[][] {
  const references = [...traits.keys()];
  return text
    .split('\n')
    .filter((line, index, lines) => line.startsWith('|') && !isHead(line) && !isHead(lines[index + 1] ?? ''))
    .map((line) =>
      (line.replaceAll('\\', '').match(REFERENCE) ?? []).flatMap((shown) => {
        // A UUID is shown by its first characters.
        const whole =
          references.find((each) => each === shown) ?? references.find((each) => each.startsWith(shown));
        return traits.get(whole ?? '') ?? [];
      }),
    );
}

const isHead = (line: string): boolean => /^\|(?:-+\|)+$/.test(line);
