import type { FrameWords } from '../words/en/frame.ts';

const LENGTH = /^must have at (most|least) (\d+) characters?$/;

/** Describes what the service, which speaks to programs, found wrong with an input; null for what has no sentence. */
export function describeInputFault(message: string, { inputs }: FrameWords): string | null {
  const [, bound, limit = ''] = LENGTH.exec(message) ?? [];
  if (bound !== undefined) return bound === 'most' ? inputs.long(limit) : inputs.short(limit);
  return inputs.faults[message] ?? null;
}
