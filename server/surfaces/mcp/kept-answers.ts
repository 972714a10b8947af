import path from 'node:path';
import { isNothingPending } from '../../clinical/sources/record-state.sql.ts';
import { findKeptAnswer, type AnswerKey } from '../../clinical/store/kept-answers.sql.ts';
import { keepAnswer } from '../../clinical/store/kept-answers.ts';
import { CALLED_TOOL, JOINT_ACCESS, type AuditedCall } from '../../consent/access/audited-reads.sql.ts';
import { readAudited } from '../../consent/access/audited-reads.ts';
import type { ConsentedAccess } from '../../consent/access/record-access.ts';
import type { Audit, OpenAuditEntry } from '../../platform/audit/append.ts';
import { computeBuildId } from '../../platform/kernel/build-id.ts';
import { isUndone, StoreError } from '../../platform/db/store-error.ts';
import { createGroupCommit } from '../../platform/kernel/group-commit.ts';
import type { Tool, ToolDeps, ToolResult } from './tool.ts';

const SERVER = path.resolve(import.meta.dirname, '../..');

let build: Promise<string> | undefined;

/** The code that texts depend on; read once a process. */
const getBuild = (): Promise<string> =>
  (build ??= computeBuildId([
    path.join(SERVER, 'surfaces/mcp'),
    path.join(SERVER, 'clinical'),
    path.join(SERVER, 'consent/access'),
    path.join(SERVER, 'platform/db/migrations'),
    path.join(SERVER, '../contract'),
  ]));

const hasArguments = (input: unknown): boolean =>
  input !== undefined &&
  input !== null &&
  (typeof input !== 'object' || Array.isArray(input) || Object.keys(input).length > 0);

/** Calls of one statement: their texts are in memory at once. */
const MAX_CALLS = 32;

type KeptAnswersDeps = Pick<ToolDeps, 'db' | 'clock'> & { audit: Pick<Audit, 'toOpenRow'> };

interface Question extends Pick<AuditedCall, 'access' | 'tool'> {
  entry: OpenAuditEntry;
  text: string | null;
}

/** Returns the answer that was given to the same question, once its audit entry is durable; null where there is none to give. */
export type AnswerFromKept = (
  access: ConsentedAccess,
  asked: { tool: Tool; input: unknown; entry: OpenAuditEntry },
) => Promise<string | null>;

/**
 * Returns a function that answers a question with what was answered to it before: of the same version of the record, under a consent
 * that withholds the same, on the same day. Consent is checked in the statement that finds the answer, as in the one that makes it,
 * and the entry is written by it, for all calls together that came while the ones before were answered. What is on its way into
 * the record stands in every text, so nothing is kept meanwhile.
 */
export function createKeptAnswers(deps: KeptAnswersDeps): AnswerFromKept {
  const answer = createGroupCommit<Question>((questions) => answerFromKept(deps, questions), {
    maxItems: MAX_CALLS,
  });
  return async (access, { tool, input, entry }) => {
    if (!tool.isKept || hasArguments(input)) return null;
    const question: Question = { access, entry, tool: tool.name, text: null };
    await answer(question).catch(throwUnlessNotRun);
    return question.text;
  };
}

/**
 * A statement that the store refused, as for a value of one of the calls, has done nothing: each is answered as any other. Where the
 * store is away or slow, it may have written the entries, and to ask again would wait as long again.
 */
function throwUnlessNotRun(error: unknown): void {
  if (error instanceof StoreError || isUndone(error)) throw error;
}

async function answerFromKept(deps: KeptAnswersDeps, questions: readonly Question[]): Promise<void> {
  const query = findKeptAnswer(
    { access: JOINT_ACCESS, tool: CALLED_TOOL, isCurrent: isNothingPending(JOINT_ACCESS) },
    { day: toDay(deps.clock.now()), build: await getBuild() },
  );
  // Now, when they are read: no entry is to be older than the decision that it reads under.
  const calls = questions.map((question) => ({ ...question, entry: deps.audit.toOpenRow(question.entry) }));
  const texts = await readAudited(deps, calls, query);
  questions.forEach((question, index) => (question.text = texts[index] ?? null));
}

const toDay = (now: Date): string => now.toISOString().slice(0, 10);

/** Runs a tool, and keeps its answer for the next one who asks the same. */
export async function runTool(
  deps: ToolDeps,
  access: ConsentedAccess,
  { tool, input }: { tool: Tool; input: unknown },
): Promise<ToolResult> {
  if (!tool.isKept || hasArguments(input)) return tool.run(deps, access, input);
  const key = { tool: tool.name, day: toDay(deps.clock.now()), build: await getBuild() };
  const result = await tool.run(deps, access, input);
  await keep(deps, access, { key, result });
  return result;
}

async function keep(
  { db, clock }: ToolDeps,
  { patientId }: ConsentedAccess,
  { key, result: { basis, text, audit } }: { key: AnswerKey; result: ToolResult },
): Promise<void> {
  // Around midnight it may be of the next day.
  if (!basis || toDay(clock.now()) !== key.day) return;
  await keepAnswer(db, patientId, { basis, answer: { ...key, text, disclosure: audit } });
}
