import { fingerprint } from '../../server/webhooks/registration/secret.ts';
import { indented, onOneLine } from './json-layout.ts';
import type { Told } from './receiver.ts';
import { ago } from './time-words.ts';
import { brief, visibleLines } from './visible-text.ts';

/** As much of a body that is not JSON as is shown. */
const SHOWN = 2000;

/** A delivery for a person. */
export function deliveryText(told: Told): string {
  const { verdict, envelope, forwarded, receivedAt, answered } = told;
  const head = [
    receivedAt.toISOString(),
    brief(envelope.type ?? 'no type'),
    brief(headerOf(told, 'webhook-id') ?? 'no webhook-id'),
    `attempt ${envelope.deliveryAttempt ?? '?'}`,
    `sent ${sentAgo(told) === null ? 'at an unknown time' : ago(sentAgo(told) ?? 0)}`,
    ...(envelope.timestamp === null
      ? []
      : [`happened ${ago((receivedAt.getTime() - envelope.timestamp.getTime()) / 1000)}`]),
  ].join('  ');
  const state =
    verdict.fault === null
      ? `  verified with the secret ${fingerprint(verdict.secret ?? '')}; answered ${answered}`
      : `  NOT VERIFIED (${verdict.fault.step}); answered ${answered}\n    ${verdict.fault.message}`;
  const onward =
    forwarded === null
      ? []
      : [
          `  forwarded to ${brief(forwarded.url)}: ${brief(forwarded.fault ?? String(forwarded.status))}, ${forwarded.durationMs} ms`,
        ];
  const notes = verdict.notes.map(({ message }) => `  note: ${message}`);
  return `${[head, state, ...onward, ...notes, shownBody(told)].map(visibleLines).join('\n')}\n`;
}

function shownBody({ body, envelope }: Told): string {
  const text = body.toString();
  const shown = envelope.readable
    ? indented(text)
    : `${text.slice(0, SHOWN)}${text.length > SHOWN ? '…' : ''}`;
  return shown.replaceAll(/^/gm, '  ');
}

/** A delivery as one line of JSON; the envelope has the digits of its numbers. */
export function deliveryJson(told: Told): string {
  const { verdict, envelope, forwarded, receivedAt, answered, body } = told;
  const rest = JSON.stringify({
    receivedAt: receivedAt.toISOString(),
    verified: verdict.fault === null,
    failedStep: verdict.fault?.step ?? null,
    message: verdict.fault?.message ?? null,
    notes: verdict.notes,
    secret: verdict.secret === null ? null : fingerprint(verdict.secret),
    webhookId: headerOf(told, 'webhook-id'),
    type: envelope.type,
    deliveryAttempt: envelope.deliveryAttempt,
    ageSeconds: sentAgo(told),
    forwarded: forwarded && {
      url: forwarded.url,
      status: forwarded.status,
      fault: forwarded.fault,
      durationMs: forwarded.durationMs,
    },
    answered,
    ...(!envelope.readable && { body: body.toString() }),
  });
  const json = `${rest.slice(0, -1)},"envelope":${envelope.readable ? onOneLine(body.toString()) : 'null'}}`;
  return `${visibleLines(json)}\n`;
}

const headerOf = ({ headers }: Told, name: string): string | null => headers[name]?.join(', ') ?? null;

/** Seconds since the attempt was signed. */
function sentAgo(told: Told): number | null {
  const text = headerOf(told, 'webhook-timestamp') ?? '';
  return /^\d{1,12}$/.test(text) ? Math.floor(told.receivedAt.getTime() / 1000) - Number(text) : null;
}
