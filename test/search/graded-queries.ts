import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const FOLDER = join(import.meta.dirname, 'queries');

const DAY = z.string().regex(/^\d{4}-\d{2}-\d{2}$/);

const MATCH = z.strictObject({
  types: z.array(z.string()).min(1).optional(),
  codes: z.array(z.string().includes('|')).min(1).optional(),
  text: z.array(z.string()).min(1).optional(),
  window: z.tuple([DAY, DAY]).optional(),
  status: z.array(z.string()).min(1).optional(),
});

const GRADED_QUERY = z.strictObject({
  id: z.string(),
  record: z.string(),
  kind: z.enum([
    'plain',
    'misspelled',
    'question',
    'lay',
    'time',
    'shorthand',
    'brand',
    'class',
    'spanish',
    'german',
    'nothing',
  ]),
  query: z.string().min(1),
  relevant: z.array(
    z.strictObject({ match: MATCH, grade: z.union([z.literal(1), z.literal(2), z.literal(3)]) }),
  ),
  nothing: z.literal(true).optional(),
  absent: z.string().optional(),
});

export type Match = z.infer<typeof MATCH>;

export type GradedQuery = z.infer<typeof GRADED_QUERY>;

/** Of `held-out-f.jsonl`, `held-out-g.jsonl` or `held-out-h.jsonl`, by which search is not mended. */
export const isHeldOut = ({ id }: GradedQuery): boolean => /^(f|g|hh)-/.test(id);

/** Reads every query of `queries/`; the README beside says what a line means. */
export function readGradedQueries(): GradedQuery[] {
  return globSync('*.jsonl', { cwd: FOLDER })
    .sort()
    .flatMap((file) => readFileSync(join(FOLDER, file), 'utf8').trimEnd().split('\n'))
    .map((line) => GRADED_QUERY.parse(JSON.parse(line)));
}
