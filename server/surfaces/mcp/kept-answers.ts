import path from 'node:path';
import { findPending } from '../../clinical/sources/record-state.sql.ts';
import { findKeptAnswer, type AnswerKey } from '../../clinical/store/kept-answers.sql.ts';
import { keepAnswer } from '../../clinical/store/kept-answers.ts';
import { readRecord, type ConsentedAccess } from '../../consent/access/record-access.ts';
import { computeBuildId } from '../../platform/kernel/build-id.ts';
import { renderPending } from './render/pending-text.ts';
import type { Disclosure, Tool, ToolDeps, ToolResult } from './tool.ts';

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

/**
 * Runs a tool, or returns the answer that it has given to the same question: of the same version of the record, under a
 * consent that withholds the same, on the same day. Consent is checked in the statement that finds the answer, as in the one
 * that makes it. What is on its way into the record stands in every text, so nothing is kept meanwhile.
 */
export async function runTool(
  deps: ToolDeps,
  access: ConsentedAccess,
  { tool, input }: { tool: Tool; input: unknown },
): Promise<ToolResult> {
  if (!tool.isKept || hasArguments(input)) return tool.run(deps, access, input);
  const key = {
    tool: tool.name,
    day: deps.clock.now().toISOString().slice(0, 10),
    build: await getBuild(),
  };
  const kept = await readKept(deps, access, key);
  if (kept !== null) return kept;
  const result = await tool.run(deps, access, input);
  await keep(deps, access, { key, result });
  return result;
}

async function readKept(deps: ToolDeps, access: ConsentedAccess, key: AnswerKey): Promise<ToolResult | null> {
  const { rows, consentRecordId } = await readRecord(deps, access, {
    answers: findKeptAnswer<Disclosure>(access, key),
    pendingStates: findPending(access),
  });
  const [answer] = rows.answers;
  if (answer === undefined || renderPending(rows.pendingStates[0], deps.clock.now()) !== null) return null;
  return { text: answer.text, consentRecordId, audit: answer.disclosure };
}

async function keep(
  { db, clock }: ToolDeps,
  { patientId }: ConsentedAccess,
  { key, result: { basis, text, audit } }: { key: AnswerKey; result: ToolResult },
): Promise<void> {
  // Around midnight it may be of the next day.
  if (!basis || clock.now().toISOString().slice(0, 10) !== key.day) return;
  await keepAnswer(db, patientId, { basis, answer: { ...key, text, disclosure: audit } });
}
