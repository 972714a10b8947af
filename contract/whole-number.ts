import { z } from 'zod';

const DIGITS = /^-?\d{1,16}$/;

const parseDigits = (value: unknown): unknown =>
  typeof value === 'string' && DIGITS.test(value) ? Number(value) : value;

/** Of a number that is one, and outside of its range, the usual words say which the limit is. */
const error = ({ code }: { code?: string }): string | undefined =>
  code === 'invalid_type' ? 'must be a whole number' : undefined;

/** A whole number of a query, in decimal digits: `0x10`, `1e2`, `1.0` and an empty value, which JavaScript takes, are none. */
export const wholeNumber = (min: number, max = Number.MAX_SAFE_INTEGER) =>
  z.preprocess(parseDigits, z.int({ error }).min(min).max(max));
