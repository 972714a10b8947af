import { z } from 'zod';

const MAX_VALUES = 20;

/** A filter of a list that takes several values, separated by commas: `?status=exhausted,retrying` finds either. */
export const acceptSeveral = <Value>(value: z.ZodType<Value>, max = MAX_VALUES) =>
  z.preprocess(
    (text) => (typeof text === 'string' ? [...new Set(text.split(','))] : text),
    z.array(value).min(1).max(max),
  ) as unknown as z.ZodType<Value[], string>;

/** The same filter in a body: one value, or an array of several. */
export const acceptOneOrSeveral = <Value extends string>(value: z.ZodType<Value, Value>) =>
  z
    .union([value, z.array(value).min(1).max(MAX_VALUES)])
    .transform((values): Value[] => (Array.isArray(values) ? values : [values]));
