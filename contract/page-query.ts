import { z } from 'zod';
import { wholeNumber } from './whole-number.ts';

/** The page of a list: how many items, and after how many. */
export const PageQuery = z.object({
  limit: wholeNumber(1, 1000).prefault(100),
  offset: wholeNumber(0, 1_000_000).prefault(0),
});
export type PageQuery = z.infer<typeof PageQuery>;
