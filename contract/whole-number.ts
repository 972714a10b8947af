import { z } from 'zod';

const DIGITS = /^-?\d{1,16}$/;

const parseDigits = (value: unknown): unknown =>
  typeof value === 'string' && DIGITS.test(value) ? Number(value) : value;

/** A whole number of a query, in decimal digits: `0x10`, `1e2`, `1.0` and an empty value, which JavaScript takes, are none. */
export const wholeNumber = (min: number, max = Number.MAX_SAFE_INTEGER) =>
  z.preprocess(parseDigits, z.int('must be a whole number').min(min).max(max));
