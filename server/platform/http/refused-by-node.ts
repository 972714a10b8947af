import type { IncomingMessage } from 'node:http';
import { Refusal } from '../kernel/refusal.ts';
import type { App } from './app.ts';
import { LimitedMessage } from './limited-message.ts';

/** Options of Node's server. A missing `Host` it would refuse by itself, without a body and in no dialect. */
export const NODE_OPTIONS = { requireHostHeader: false, IncomingMessage: LimitedMessage } as const;

/** Refuses what Node's server would have refused by itself: in the dialect of the path, with the headers of every answer. */
export function refuseInPlaceOfNode(app: App): void {
  app.server.on('checkExpectation', (request, response) => {
    app.server.emit('request', request, response);
  });
  app.addHook('onRequest', async ({ raw }) => {
    const refusal = findRefusal(raw);
    if (refusal !== null) throw refusal;
  });
}

function findRefusal({ httpVersion, headers }: IncomingMessage): Refusal | null {
  // RFC 9112 §3.2
  if (headers.host === undefined && httpVersion === '1.1')
    return new Refusal(400, 'host_required', { detail: 'The request has no Host header.' });
  // RFC 9110 §10.1.1
  if (headers.expect !== undefined && headers.expect.toLowerCase() !== '100-continue')
    return new Refusal(417, 'expectation_failed', {
      detail: 'The Expect header may ask for 100-continue alone.',
    });
  return null;
}
