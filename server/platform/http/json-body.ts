import { Refusal } from '../kernel/refusal.ts';
import type { App } from './app.ts';

/** Takes JSON bodies in place of what the framework takes. */
export function acceptJson(app: App): void {
  app.removeContentTypeParser(['application/json', 'text/plain']);
  acceptJsonAs(app, 'application/json');
}

/** Parses bodies of a type as JSON; an empty one becomes `undefined`, so that an optional body may be empty under any client. */
export function acceptJsonAs(app: App, contentType: string): void {
  app.addContentTypeParser(contentType, { parseAs: 'string' }, (_request, body, done) => {
    const text = String(body);
    if (text.trim() === '') return done(null, undefined);
    try {
      return done(null, parseJson(text));
    } catch (error) {
      return done(error as Error);
    }
  });
}

/** Far above what any endpoint takes. Whoever walks through a body recursively would overflow the stack: 500, without a sign-in. */
const MAX_DEPTH = 100;

function parseJson(text: string): unknown {
  const value = tryParse(text);
  if (isDeeperThan(MAX_DEPTH, value))
    throw new Refusal(400, 'malformed_json', {
      detail: `The body is nested deeper than ${MAX_DEPTH} levels.`,
    });
  return value;
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal(400, 'malformed_json', { detail: 'The body is not well-formed JSON.' });
  }
}

const isDeeperThan = (levels: number, value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((inner) => isDeeperThan(levels - 1, inner)));
