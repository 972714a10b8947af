import { z } from 'zod';

/** A text that goes into a header or a line: with a line break in it, it would be two. */
export const line = (max = 1000) =>
  z
    .string()
    .regex(/^\P{Cc}*$/u, { error: 'must be one line, without control characters' })
    .max(max, { error: `must have at most ${max} characters` });

const webUrl = z.url({
  protocol: /^https?$/,
  error: 'must be an address that begins with http:// or https://',
  abort: true,
});

/** An address that others are made of by adding to its path. */
export const url = webUrl
  .refine((text) => !/[?#]/.test(text), { error: 'must be an address without a query and a fragment' })
  .transform((text) => text.replace(/\/+$/, ''));

/** The same of a page of ours, in the spelling of `new URL`, in which browsers and clients name it. */
export const pageUrl = url.transform((text) => {
  const { origin: start, pathname } = new URL(text);
  return start + pathname.replace(/\/+$/, '');
});

/**
 * An origin in the spelling of `new URL`: what is found at the root of a host (RFC 8414 §3, RFC 9728 §3) is found nowhere below a
 * path, and clients compare the text of an issuer.
 */
export const origin = webUrl
  .refine(isOrigin, {
    error:
      'must be an origin, such as https://records.example.org, without a path, a query or a user: the service needs a host name, or a port, of its own',
  })
  .transform((text) => new URL(text).origin);

function isOrigin(text: string): boolean {
  const { pathname, username, password } = new URL(text);
  return pathname === '/' && username === '' && password === '' && !/[?#]/.test(text);
}

export function wholeNumber(min: number, max = Number.MAX_SAFE_INTEGER) {
  const range = max === Number.MAX_SAFE_INTEGER ? `, at least ${min}` : ` from ${min} to ${max}`;
  const error = `must be a whole number${range}`;
  return digits(error).pipe(z.int({ error }).min(min, { error }).max(max, { error }));
}

/** As a person writes a number: `1e3`, `0x1f` and a blank are numbers to a program alone. */
const digits = (error: string) => z.string().trim().regex(/^\d+$/, { error, abort: true }).transform(Number);

export const flag = (preset: '0' | '1') => z.enum(['0', '1'], { error: 'must be 0 or 1' }).default(preset);

/** With the items that are empty, which no rule of an item takes: of `5,,3` somebody has forgotten a part. */
export const list = z.string().transform((text) => text.split(',').map((part) => part.trim()));

/** Whole numbers from 1, separated by commas. */
export const wholeNumbers = ({ max, most, error }: { max: number; most: number; error: string }) =>
  list.pipe(
    z.array(digits(error).pipe(z.int({ error }).min(1, { error }).max(max, { error }))).max(most, { error }),
  );

const PAIRS_RULE = 'must be names and values, such as a=1,b=2';

/** `name=value` pairs, separated by commas, the values percent-encoded (OpenTelemetry, W3C Baggage). */
export const pairs = list
  .transform((parts, context) => {
    try {
      return Object.fromEntries(parts.filter(Boolean).map(parsePair));
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
