/**
 * What an answer has to hold, as the build writes it from the contract: `null`, a text, a number or `false` is what stands for
 * a field that is missing; `[item]` an array; `[shape, 0]` what may be null; `[shape, 1]` one of several
 * things, of which this one stands for what is missing; anything else an object by its fields.
 * Fields that may be missing by the contract are in none.
 */
export type AnswerShape =
  | null
  | string
  | number
  | boolean
  | readonly [AnswerShape]
  | readonly [AnswerShape, 0 | 1]
  | { readonly [field: string]: AnswerShape };

/**
 * Returns an answer with the fields that a node of the version before did not know of, while nodes are upgraded one by one: each
 * as if it had nothing to say there. The very same answer where nothing is missing.
 */
export function completeAnswer(shape: AnswerShape, answer: unknown): unknown {
  if (answer === undefined) return createEmpty(shape);
  if (typeof shape !== 'object' || shape === null || typeof answer !== 'object' || answer === null)
    return answer;
  if (isList(shape)) {
    if (shape.length === 2) return shape[1] === 1 ? answer : completeAnswer(shape[0], answer);
    return Array.isArray(answer) ? completeItems(shape[0], answer) : answer;
  }
  return Array.isArray(answer) ? answer : completeFields(shape, answer as Readonly<Record<string, unknown>>);
}

const isList = (shape: object): shape is readonly [AnswerShape] | readonly [AnswerShape, 0 | 1] =>
  Array.isArray(shape);

function completeItems(shape: AnswerShape, items: readonly unknown[]): readonly unknown[] {
  const completed = items.map((item) => completeAnswer(shape, item));
  return completed.every((item, index) => item === items[index]) ? items : completed;
}

function completeFields(
  shape: Readonly<Record<string, AnswerShape>>,
  fields: Readonly<Record<string, unknown>>,
): object {
  const changed = Object.entries(shape)
    .map(([name, field]) => [name, completeAnswer(field, fields[name])] as const)
    .filter(([name, value]) => value !== fields[name]);
  return changed.length === 0 ? fields : { ...fields, ...Object.fromEntries(changed) };
}

function createEmpty(shape: AnswerShape): unknown {
  if (typeof shape !== 'object' || shape === null) return shape;
  if (isList(shape)) return shape.length === 1 ? [] : shape[1] === 1 ? createEmpty(shape[0]) : null;
  return completeFields(shape, {});
}

/** Completes what was answered to a target. */
export type Completer = (target: string, answer: unknown) => Promise<unknown>;

/** Begins to load the shapes; without them answers stay as they are. */
export function createCompleter(
  load: () => Promise<{ default: Readonly<Record<string, AnswerShape>> }>,
): Completer {
  const loading = load().then(
    (loaded) => loaded.default,
    (): Readonly<Record<string, AnswerShape>> => ({}),
  );
  return async (target, answer) => {
    const shape = (await loading)[target];
    return shape === undefined ? answer : completeAnswer(shape, answer);
  };
}
