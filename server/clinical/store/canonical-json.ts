/** A number as it was written: 1.0 and 1.00 are two values. */
class NumberToken {
  readonly source: string;
  constructor(source: string) {
    this.source = source;
  }
}

const reviveNumber = (_key: string, value: unknown, context: { source?: string }): unknown =>
  typeof value === 'number' ? new NumberToken(context.source ?? String(value)) : value;

/**
 * Writes JSON in the one form that all spellings of the same content share: no white space, keys sorted, escapes resolved;
 * numbers as written. Throws RangeError where it is too deep for JSON.parse.
 */
export function canonicalizeJson(text: string): string {
  const pending: unknown[] = [
    JSON.parse(text, reviveNumber as (key: string, value: unknown) => unknown) as unknown,
  ];
  let written = '';
  while (pending.length > 0) {
    const value = pending.pop();
    if (value instanceof Punctuation) written += value.text;
    else if (value instanceof NumberToken) written += value.source;
    else if (Array.isArray(value))
      pushParts(
        pending,
        value.map((member) => [null, member]),
        ['[', ']'],
      );
    else if (typeof value === 'object' && value !== null)
      pushParts(pending, Object.entries(value).sort(compareKeys), ['{', '}']);
    else written += JSON.stringify(value);
  }
  return written;
}

class Punctuation {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

const compareKeys = ([one]: [string, unknown], [other]: [string, unknown]): number => (one < other ? -1 : 1);

/** Pushes the parts of an array or object, the last first: they are taken from the end. */
function pushParts(
  pending: unknown[],
  members: readonly (readonly [string | null, unknown])[],
  [open, close]: readonly [open: string, close: string],
): void {
  pending.push(new Punctuation(close));
  for (let index = members.length - 1; index >= 0; index--) {
    const [key, value] = members[index] as readonly [string | null, unknown];
    const comma = index === 0 ? '' : ',';
    pending.push(value, new Punctuation(key === null ? comma : `${comma}${JSON.stringify(key)}:`));
  }
  pending.push(new Punctuation(open));
}

/** Whether two JSON texts have the same content, however they are spelled; texts too deep to compare have not. */
export function isSameJson(one: string, other: string): boolean {
  if (one === other) return true;
  try {
    return canonicalizeJson(one) === canonicalizeJson(other);
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
