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
      return done(null, JSON.parse(text));
    } catch {
      return done(new Refusal(400, 'malformed_json', { detail: 'The body is not well-formed JSON.' }));
    }
  });
}
