import { z } from 'zod';

/** The page of a list: how many items, and after how many. */
export const PageQuery = z.object({
  limit: z.coerce.number().int().min(1).max(1000).default(100),
  offset: z.coerce.number().int().min(0).max(1_000_000).default(0),
});
export type PageQuery = z.infer<typeof PageQuery>;
