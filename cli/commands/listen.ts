import path from 'node:path';
import { createInterface } from 'node:readline';
import { InvalidArgumentError, type Command } from 'commander';
import { readConfig } from '../../server/config.ts';
import { isLoopbackHost } from '../../server/platform/http/base-url.ts';
import { Refusal } from '../../server/platform/kernel/refusal.ts';
import { fingerprintSecret } from '../../server/surfaces/webhooks/signing.ts';
import { ensureCertificate } from '../listen/certificate.ts';
import { resolveSecrets } from '../listen/resolve-secrets.ts';
import { createReceiver } from '../listen/receiver.ts';
import { serializeDelivery, formatDelivery } from '../listen/format-delivery.ts';
import { listenOnLoopback, type ConnectionFailure } from '../listen/loopback-server.ts';

interface Options {
  secret?: string[];
  port: number;
  forward?: URL;
  json?: boolean;
}

/** `chartgate listen` receives webhooks during development and says what is wrong with a delivery. */
export function configureListenCommand(command: Command): void {
  command
    .option(
      '--secret <whsec_…>',
      'secret of the webhook, again for each more; or CHARTGATE_LISTEN_SECRET, which lists of processes do not show',
      (secret: string, others: string[] | undefined) => [...(others ?? []), secret],
    )
    .option('--port <n>', 'port of loopback for http and https; 0 takes a free one', parsePort, 4000)
    .option(
      '--forward <url>',
      'POST what verifies on to your own server, and answer as it does',
      parseHttpUrl,
    )
    .option('--json', 'print one JSON object for each delivery')
    .action(listen);
}

async function listen(options: Options): Promise<void> {
  const { db, http } = readConfig(process.env);
  const secrets = resolveSecrets(options.secret ?? [], process.env['CHARTGATE_LISTEN_SECRET']);
  const certificate = await ensureCertificate(path.join(db.dataDirectory, 'listen'), new Date());
  const warn = (sentence: string): void => void process.stderr.write(`${sentence}\n`);
  const onRequest = createReceiver({
    secrets,
    forwardTo: options.forward ?? null,
    onDelivery: (report) =>
      void process.stdout.write(options.json ? serializeDelivery(report) : `${formatDelivery(report)}\n`),
    warn,
  });
  const { port } = await listenOnLoopback(onRequest, {
    ...certificate,
    port: options.port,
    onConnectionFailure: (failure) => warn(formatConnectionFailure(failure)),
  });
  if (isOwnAddress(options.forward, port))
    throw new Refusal(400, 'forwards_to_itself', { detail: 'The address to forward to is this listener.' });
  const introduction = [
    `Listening on https://localhost:${port}/ and http://localhost:${port}/; Ctrl+C ends.`,
    ...(secrets.length > 0 ? [formatSecrets(secrets)] : []),
    ...(options.forward ? [`Forwarding what verifies to ${options.forward.href}`] : []),
    'Start the service so that it trusts and reaches this machine:',
    `  NODE_EXTRA_CA_CERTS=${quoteForShell(certificate.caFile)} CHARTGATE_WEBHOOK_ALLOW_PRIVATE=1 npm start`,
    ...(secrets.length > 0
      ? [`The webhook's url is https://localhost:${port}/.`]
      : formatRegistration(http.baseUrl, port)),
  ];
  // Standard output is for deliveries alone where a program reads it.
  (options.json ? process.stderr : process.stdout).write(`${introduction.join('\n')}\n\n`);
  if (secrets.length === 0) readSecrets(secrets, warn);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(0));
  // The reader of the output is gone (`chartgate listen | head`).
  process.stdout.once('error', () => process.exit(0));
}

const formatSecrets = (secrets: readonly string[]): string =>
  `Verifying with ${secrets.map((secret) => `the secret ${fingerprintSecret(secret)}`).join(', ')}.`;

/** Says how the webhook is registered whose secret is then pasted here. */
const formatRegistration = (baseUrl: string, port: number): string[] => [
  'Register this listener, with the token of an admin key (POST /v1/auth/token) and the id of the organization:',
  `  curl -X POST ${baseUrl}/v1/organizations/$ORG/webhooks \\`,
  '    -H "Authorization: Bearer $ADMIN" -H "Content-Type: application/json" \\',
  `    -d '{"url": "https://localhost:${port}/", "description": "this machine", "eventTypes": ["webhook.test", "consent.withdrawn"], "projectScope": {"type": "all"}}'`,
  'Then paste the secret of the answer (whsec_…) here and press Enter:',
];

/** Takes secrets from the standard input, one a line. */
function readSecrets(secrets: string[], warn: (sentence: string) => void): void {
  createInterface({ input: process.stdin }).on('line', (line) => {
    if (line.trim() === '') return;
    try {
      secrets.push(...resolveSecrets([line.trim()], undefined));
      warn(formatSecrets(secrets));
    } catch (error) {
      warn((error as Error).message);
    }
  });
}

function formatConnectionFailure({ isTls, code }: ConnectionFailure): string {
  const message = `${isTls ? 'A TLS' : 'A'} connection ended before there was a request${code === null ? '' : ` (${code})`}`;
  return isTls
    ? `${message}: the sender does not trust the certificate? Start it with NODE_EXTRA_CA_CERTS as shown above.`
    : `${message}.`;
}

const isOwnAddress = (url: URL | undefined, port: number): boolean =>
  url !== undefined && isLoopbackHost(url.hostname) && Number(url.port) === port;

/** Quotes a text for a shell. */
const quoteForShell = (text: string): string =>
  /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

function parsePort(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535)
    throw new InvalidArgumentError('It must be a port, or 0.');
  return Number(text);
}

function parseHttpUrl(text: string): URL {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw new InvalidArgumentError('It must be an http or https address without credentials.');
  return url;
}
