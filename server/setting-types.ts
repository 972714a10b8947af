import { z } from 'zod';

export const url = z
  .url({ protocol: /^https?$/, error: 'must be an address that begins with http:// or https://' })
  .transform((text) => text.replace(/\/+$/, ''));

export function wholeNumber(min: number, max = Number.MAX_SAFE_INTEGER) {
  const range = max === Number.MAX_SAFE_INTEGER ? `, at least ${min}` : ` from ${min} to ${max}`;
  const error = `must be a whole number${range}`;
  return z.coerce.number({ error }).int({ error }).min(min, { error }).max(max, { error });
}

export const flag = (preset: '0' | '1') => z.enum(['0', '1'], { error: 'must be 0 or 1' }).default(preset);

export const list = z.string().transform((text) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean),
);

const PAIRS_RULE = 'must be names and values, such as a=1,b=2';

/** `name=value` pairs, separated by commas, the values percent-encoded (OpenTelemetry, W3C Baggage). */
export const pairs = list
  .transform((parts, context) => {
    try {
      return Object.fromEntries(parts.map(parsePair));
    } catch {
      context.addIssue({ code: 'custom', message: PAIRS_RULE });
      return z.NEVER;
    }
  })
  .default({});

function parsePair(text: string): [string, string] {
  const [, name, value] = /^([^=]+)=(.*)$/.exec(text) ?? [];
  if (name === undefined || value === undefined) throw new Error(PAIRS_RULE);
  return [name.trim(), decodeURIComponent(value.trim())];
}
