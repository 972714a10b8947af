import { Refusal } from '../kernel/refusal.ts';
import type { App } from './app.ts';

/** Parses JSON bodies; an empty body becomes `undefined`, so that an optional body may be empty under any client. */
export function acceptJson(app: App): void {
  app.removeContentTypeParser(['application/json', 'text/plain']);
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    const text = String(body);
    if (text.trim() === '') return done(null, undefined);
    try {
      return done(null, JSON.parse(text));
    } catch {
      return done(new Refusal(400, 'malformed_json', { detail: 'The body is not well-formed JSON.' }));
    }
  });
}
