import { z } from 'zod';
import type { ConsentRecordId } from '../../../contract/brands.ts';
import type { ResourceScope } from '../../../contract/data-categories.ts';
import type { AnswerBasis } from '../../clinical/store/kept-answers.sql.ts';
import type { EmbedQuestion } from '../../clinical/search/embeddings/embed-question.ts';
import type { ReadQuestion } from '../../clinical/search/question/read-question.ts';
import type { ConsentedAccess } from '../../consent/access/record-access.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import type { Db } from '../../platform/db/db.ts';
import { describeIssue } from '../../platform/http/describe-issue.ts';
import { findUnstorable } from '../../platform/kernel/unstorable-text.ts';

export interface ToolDeps {
  db: Db;
  clock: Clock;
  /** Without a trailing slash; the patient's page is `${consentAppUrl}/#/my-data`. */
  consentAppUrl: string;
  readQuestion: ReadQuestion;
  /** Null: no model is configured, or it fails. */
  embedQuestion: EmbedQuestion;
}

/** What an answer discloses, for the audit entry. */
export interface Disclosure {
  categories: ResourceScope[];
  /** What was asked for and is not shared: the patient's log is not to say that there is none. */
  notShared?: ResourceScope[];
  /** First and last day of the shown entries; null: none has a date. */
  from: string | null;
  until: string | null;
  entries: number;
  /** The answer says how much there is, and nothing of it. */
  counted?: true;
}

export interface ToolResult {
  /** Markdown. */
  text: string;
  consentRecordId: ConsentRecordId;
  audit: Disclosure;
  /** What of the record and the consent it was made of, where it can be given again while that is the same. */
  basis?: AnswerBasis | null;
}

export interface InputSchema {
  type: 'object';
  properties: Record<string, unknown>;
  required?: string[];
  additionalProperties: false;
}

export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: InputSchema;
  readonly annotations: {
    readonly readOnlyHint: true;
    readonly idempotentHint: true;
    readonly openWorldHint: false;
  };
  /** Whether its answers without arguments are kept. */
  readonly isKept: boolean;
  /** Throws `InvalidToolInput` for invalid arguments. */
  run(deps: ToolDeps, access: ConsentedAccess, input: unknown): Promise<ToolResult>;
}

/** Invalid arguments; the message says what to change. Answered as JSON-RPC -32602, or as a result with `isError`. */
export class InvalidToolInput extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'InvalidToolInput';
  }
}

interface ToolDefinition<Input extends z.ZodObject> {
  name: string;
  title: string;
  description: string;
  input: Input;
  /** Only of a tool whose text depends on nothing but the record, the consent and the day. */
  isKept?: true;
  run(deps: ToolDeps, access: ConsentedAccess, input: z.output<Input>): Promise<ToolResult>;
}

export function defineTool<Input extends z.ZodObject>(definition: ToolDefinition<Input>): Tool {
  const { name, title, description, input } = definition;
  return Object.freeze({
    name,
    title,
    description,
    inputSchema: toInputSchema(input),
    annotations: Object.freeze({ readOnlyHint: true, idempotentHint: true, openWorldHint: false }),
    isKept: definition.isKept === true,
    run: async (deps: ToolDeps, access: ConsentedAccess, rawInput: unknown) =>
      definition.run(deps, access, parseInput(definition, rawInput)),
  });
}

/** Keeps only keywords that every client knows: clients derive the model's function schema from it. */
function toInputSchema(input: z.ZodObject): InputSchema {
  const { properties, required } = z.toJSONSchema(input, { io: 'input', target: 'draft-7' });
  return {
    type: 'object',
    properties: properties ?? {},
    ...(required && required.length > 0 && { required }),
    additionalProperties: false,
  };
}

/**
 * A `tools/call` without `arguments` has no arguments, and an optional argument that is null or empty is absent: models
 * fill in every field of a form.
 */
function dropAbsent(input: z.ZodObject, rawInput: unknown): unknown {
  if (rawInput === undefined || rawInput === null) return {};
  if (typeof rawInput !== 'object' || Array.isArray(rawInput)) return rawInput;
  const isAbsent = ([name, value]: [string, unknown]): boolean =>
    (value === null || value === '') &&
    Object.hasOwn(input.shape, name) &&
    z.safeParse(input.shape[name] as z.ZodType, undefined).success;
  return Object.fromEntries(Object.entries(rawInput).filter((entry) => !isAbsent(entry)));
}

/** More of them would only repeat what the first say. */
const MAX_ISSUES = 20;

function parseInput<Input extends z.ZodObject>(
  { name, input }: ToolDefinition<Input>,
  rawInput: unknown,
): z.output<Input> {
  const result = input.safeParse(dropAbsent(input, rawInput), { error: describeIssue });
  if (result.success) {
    const fault = findUnstorable(result.data, '');
    if (fault) throw new InvalidToolInput(`${name}: ${fault.path} ${fault.message}`);
    return result.data;
  }
  const messages = result.error.issues
    .slice(0, MAX_ISSUES)
    .map((issue) => formatIssue(issue, Object.keys(input.shape)));
  throw new InvalidToolInput(`${name}: ${[...new Set(messages)].join('; ')}`);
}

/** Messages of the schemas continue the argument's name: "years must be …". */
function formatIssue(issue: z.core.$ZodIssue, names: string[]): string {
  if (issue.code === 'unrecognized_keys') {
    const unknown = issue.keys.map((key) => JSON.stringify(key)).join(', ');
    const known = names.length > 0 ? `its arguments are ${names.join(', ')}` : 'it takes no arguments';
    return `there is no argument ${unknown}; ${known}`;
  }
  const [argument] = issue.path;
  return argument === undefined ? 'arguments must be an object' : `${String(argument)} ${issue.message}`;
}
