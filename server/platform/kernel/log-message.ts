import { Refusal } from './refusal.ts';

/**
 * An error of ours whose message may stand in the log: it holds nothing of what people sent, or of what the store holds.
 * Messages of drivers and parsers quote both.
 */
export class LoggableError extends Error {}

const MAX_CAUSES = 4;

/**
 * Returns what the log may say of an error: the message of one of ours, the code of any other, the reason of a refusal, and
 * the same of its causes. "the store is away: 53300".
 */
export function toLogMessage(error: unknown): string {
  const parts = new Set<string>();
  const left = [error];
  for (let count = 0; left.length > 0 && count < MAX_CAUSES; count++) {
    const each = left.shift();
    if (!(each instanceof Error)) continue;
    for (const part of listParts(each)) parts.add(part);
    left.push(...(each instanceof AggregateError ? (each.errors as unknown[]) : []), each.cause);
  }
  return [...parts].join(': ');
}

function listParts(error: Error & { code?: unknown; logMessage?: unknown }): string[] {
  // Of another thread.
  if (typeof error.logMessage === 'string') return error.logMessage === '' ? [] : [error.logMessage];
  return [
    ...(error instanceof LoggableError ? [error.message] : []),
    ...(typeof error.code === 'string' ? [error.code] : []),
    ...(error instanceof Refusal && error.reason !== null ? [error.reason] : []),
  ];
}
