import { VERSION } from '../contract/version.ts';
import type { Config } from './config.ts';
import { describeDatabaseUrl, parseDatabaseUrls } from './platform/db/database-urls.ts';
import { describeSchemaChange, type SchemaChange } from './platform/db/schema-state.ts';
import type { SecretState } from './platform/keys/secret-seal.ts';
import { isLoopbackHost } from './platform/http/base-url.ts';

/** What a process finds as it opens the store. */
export interface StoreFacts {
  /** What became of the schema; absent: the report does not say. */
  schema?: SchemaChange;
  /** How the secrets of the store are stored. */
  secrets: Record<SecretState, number>;
  /** Sentences about what does not work as it is set. */
  warnings?: readonly string[];
}

interface Facts extends StoreFacts {
  /** Where the service listens. */
  address: string;
  /** Where its metrics are served besides; null: nowhere. */
  metricsAddress: string | null;
}

/** Describes in a few lines how the service runs: what an operator would otherwise learn from its first fault. */
export function renderStartupReport(
  config: Config,
  { address, metricsAddress, schema, secrets, warnings = [] }: Facts,
): string {
  const { http, db, mail } = config;
  const rows: [string, string][] = [
    ['listens at', address],
    ['base URL', describeBaseUrl(http)],
    ['console', `${http.baseUrl}/console`],
    ...(config.processes === 1
      ? []
      : [['processes', `${config.processes}, SIGHUP restarts one after another`] satisfies [string, string]]),
    ['store', describeStore(db)],
    ...(schema === undefined ? [] : [['schema', describeSchemaChange(schema)] satisfies [string, string]]),
    ...(config.objectStore === null
      ? []
      : [['files', describeObjectStore(config.objectStore)] satisfies [string, string]]),
    [
      'mails',
      mail.smtpUrl === undefined ? `files in ${mail.outbox}` : `over SMTP, ${new URL(mail.smtpUrl).host}`,
    ],
    ['secrets', describeSecrets(config.secrets, secrets)],
    ['metrics', describeMetrics(config, metricsAddress)],
    ...(config.telemetry === null
      ? []
      : [['telemetry', describeTelemetry(config.telemetry)] satisfies [string, string]]),
    ['open', listOpenings(config).join('; ') || 'nothing beyond the defaults'],
    ...warnings.map((warning) => ['warning', warning] satisfies [string, string]),
  ];
  return [`Chartgate ${VERSION}`, ...rows.map(([name, value]) => `  ${name.padEnd(12)}${value}`), ''].join(
    '\n',
  );
}

/** Others than this machine are refused under a name that is a guess. */
const describeBaseUrl = ({ baseUrl, isBaseUrlGiven, host }: Config['http']): string =>
  isBaseUrlGiven || isLoopbackHost(host)
    ? baseUrl
    : `${baseUrl} (CHARTGATE_BASE_URL is not set: requests by any other name are refused, 403 host_not_allowed)`;

const describeTelemetry = ({ endpoint, traces, metrics }: NonNullable<Config['telemetry']>): string =>
  `${[...(traces ? ['traces'] : []), ...(metrics ? ['metrics'] : [])].join(' and ')} to ${new URL(endpoint).host}`;

/** Says how secrets are stored, and which of those in the store are not so yet, or cannot be used. */
export function describeSecrets(
  { keys }: Config['secrets'],
  { plain, current, previous, unknown }: Record<SecretState, number>,
): string {
  if (unknown > 0)
    return keys.length === 0
      ? `${unknown} in the store cannot be used: they are sealed under a key, and CHARTGATE_SECRETS_KEY is not set; set it to the key of before`
      : `${unknown} in the store cannot be used: the key that they are sealed under is not in CHARTGATE_SECRETS_KEY; ` +
          'set the key of before, after the present one and a comma';
  if (keys.length === 0) return 'in plain text (CHARTGATE_SECRETS_KEY is not set)';
  const waiting = plain + previous;
  return waiting === 0
    ? 'sealed'
    : `sealed; not under the first key yet: ${waiting} of ${waiting + current}, which are within the hour`;
}

/** Without user and password. */
function describeStore({ databaseUrl, dataDirectory }: Config['db']): string {
  if (databaseUrl === undefined) return `embedded, in ${dataDirectory}`;
  const addresses = parseDatabaseUrls(databaseUrl).map(describeDatabaseUrl);
  return `PostgreSQL, ${addresses[0]?.database ?? ''} at ${addresses.map(({ server }) => server).join(' or ')}`;
}

const describeObjectStore = ({ url, takesNew }: NonNullable<Config['objectStore']>): string =>
  `object store, ${url.replace(/^https?:\/\//, '')}${takesNew ? '' : ' (what is new is in the database)'}`;

function describeMetrics({ http, metrics }: Config, address: string | null): string {
  const places = [
    ...(address === null ? [] : [address]),
    ...(metrics.token === null ? [] : [`${http.baseUrl}/metrics (with the token)`]),
  ];
  return places.join(' and ') || 'not served';
}

/** What makes the service reachable, or lets it reach, more than it does by default. */
function listOpenings({ http, webhooks, sources, oauth, embeddings }: Config): string[] {
  const isPublic = !isLoopbackHost(http.host);
  const { protocol, hostname } = new URL(http.baseUrl);
  return [
    ...(isPublic ? [`other machines reach it (HOST ${http.host})`] : []),
    ...(protocol === 'http:' && !isLoopbackHost(hostname)
      ? ['the base URL is not https: browsers keep no cookie safe']
      : []),
    ...(webhooks.allowPrivate
      ? ['webhooks may go to private addresses (CHARTGATE_WEBHOOK_ALLOW_PRIVATE)']
      : []),
    ...(sources.allowPrivate
      ? ['sources may be at private addresses (CHARTGATE_SOURCES_ALLOW_PRIVATE)']
      : []),
    ...(embeddings === null
      ? []
      : [`words of records and questions go to ${new URL(embeddings.url).host} (CHARTGATE_EMBEDDINGS_URL)`]),
    ...(oauth.refreshRetrySeconds > 0
      ? [
          `a replaced refresh token works again for ${oauth.refreshRetrySeconds} s (CHARTGATE_OAUTH_REFRESH_RETRY_SECONDS)`,
        ]
      : []),
  ];
}
