import { fingerprintSecret } from '../../server/surfaces/webhooks/signing.ts';
import { indentJson, minifyJson } from './format-json.ts';
import type { DeliveryReport } from './receiver.ts';
import { formatAge } from './format-duration.ts';
import { revealAndTruncate, revealInvisibleInLines } from './reveal-invisible.ts';

/** How much is shown of a body that is not JSON. */
const MAX_SHOWN_LENGTH = 2000;

/** Formats a delivery for a person. */
export function formatDelivery(report: DeliveryReport): string {
  const { verdict, envelope, forwarded, receivedAt, responseStatus } = report;
  const headline = [
    receivedAt.toISOString(),
    revealAndTruncate(envelope.type ?? 'no type'),
    revealAndTruncate(getHeader(report, 'webhook-id') ?? 'no webhook-id'),
    `attempt ${envelope.deliveryAttempt ?? '?'}`,
    `sent ${getAgeSeconds(report) === null ? 'at an unknown time' : formatAge(getAgeSeconds(report) ?? 0)}`,
    ...(envelope.timestamp === null
      ? []
      : [`happened ${formatAge((receivedAt.getTime() - envelope.timestamp.getTime()) / 1000)}`]),
  ].join('  ');
  const state =
    verdict.fault === null
      ? `  verified with the secret ${fingerprintSecret(verdict.secret ?? '')}; answered ${responseStatus}`
      : `  NOT VERIFIED (${verdict.fault.step}); answered ${responseStatus}\n    ${verdict.fault.message}`;
  const forwardLines =
    forwarded === null
      ? []
      : [
          `  forwarded to ${revealAndTruncate(forwarded.url)}: ${revealAndTruncate(forwarded.fault ?? String(forwarded.status))}, ${forwarded.durationMs} ms`,
        ];
  const notes = verdict.notes.map(({ message }) => `  note: ${message}`);
  return `${[headline, state, ...forwardLines, ...notes, formatBody(report)].map(revealInvisibleInLines).join('\n')}\n`;
}

function formatBody({ body, envelope }: DeliveryReport): string {
  const text = body.toString();
  const shown = envelope.isJson
    ? indentJson(text)
    : `${text.slice(0, MAX_SHOWN_LENGTH)}${text.length > MAX_SHOWN_LENGTH ? '…' : ''}`;
  return shown.replaceAll(/^/gm, '  ');
}

/** Serializes a delivery as one line of JSON; the envelope has the digits of its numbers. */
export function serializeDelivery(report: DeliveryReport): string {
  const { verdict, envelope, forwarded, receivedAt, responseStatus, body } = report;
  const rest = JSON.stringify({
    receivedAt: receivedAt.toISOString(),
    verified: verdict.fault === null,
    failedStep: verdict.fault?.step ?? null,
    message: verdict.fault?.message ?? null,
    notes: verdict.notes,
    secret: verdict.secret === null ? null : fingerprintSecret(verdict.secret),
    webhookId: getHeader(report, 'webhook-id'),
    type: envelope.type,
    deliveryAttempt: envelope.deliveryAttempt,
    ageSeconds: getAgeSeconds(report),
    forwarded: forwarded && {
      url: forwarded.url,
      status: forwarded.status,
      fault: forwarded.fault,
      durationMs: forwarded.durationMs,
    },
    answered: responseStatus,
    ...(!envelope.isJson && { body: body.toString() }),
  });
  const json = `${rest.slice(0, -1)},"envelope":${envelope.isJson ? minifyJson(body.toString()) : 'null'}}`;
  return `${revealInvisibleInLines(json)}\n`;
}

const getHeader = ({ headers }: DeliveryReport, name: string): string | null =>
  headers[name]?.join(', ') ?? null;

/** Seconds since the attempt was signed. */
function getAgeSeconds(report: DeliveryReport): number | null {
  const text = getHeader(report, 'webhook-timestamp') ?? '';
  return /^\d{1,12}$/.test(text) ? Math.floor(report.receivedAt.getTime() / 1000) - Number(text) : null;
}
