import os from 'node:os';
import path from 'node:path';
import type { ProjectId } from '../contract/brands.ts';
import type { SourcesConfig } from './clinical/clinical.ts';
import type { EmbeddingsConfig } from './clinical/search/embeddings/embedder.ts';
import type { OidcConfig } from './identity/members/oidc/provider.ts';
import type { MetricsConfig } from './platform/http/metrics-server.ts';
import type { ObjectStoreConfig } from './platform/objects/config.ts';
import type { AuditConfig, HttpConfig, MailConfig, SecretsConfig } from './platform/platform.ts';
import type { TelemetryConfig } from './platform/telemetry/config.ts';
import type { McpConfig, OAuthConfig } from './surfaces/surfaces.ts';
import type { WebhooksConfig } from './surfaces/webhooks.ts';
import { findIdleSettings, type IdleSetting } from './idle-settings.ts';
import { readSetting } from './read-setting.ts';
import { findSettingFaults, listSecretsKeys } from './setting-faults.ts';
import { SETTINGS, type Settings } from './settings.ts';
import { findDatabaseNameFaults, findUnknownVariables, type UnknownVariable } from './unknown-variables.ts';

/** The settings by who uses them: a slice for each part of the service. */
export interface Config {
  http: HttpConfig;
  /** Processes that share the port. */
  processes: number;
  db: { databaseUrl: string | undefined; dataDirectory: string; reserve: { bytes: number } };
  audit: AuditConfig;
  mail: MailConfig;
  metrics: MetricsConfig;
  /** null: nothing is sent to a collector. */
  telemetry: TelemetryConfig | null;
  logLevel: string;
  secrets: SecretsConfig;
  /** null: originals and pictures are in the database. */
  objectStore: ObjectStoreConfig | null;
  oauth: OAuthConfig;
  mcp: McpConfig;
  sources: SourcesConfig;
  /** Mails with links an hour that one client address may ask for. */
  signUpLimit: number;
  /** The bytes that are kept of a patient at most. */
  quotaBytes: number;
  /** The identity provider of members. */
  oidc: OidcConfig | null;
  embeddings: EmbeddingsConfig | null;
  webhooks: WebhooksConfig;
  /** Where backups are written, for who looks whether they are; null: nobody has said. */
  backups: { folder: string | null };
  /** Variables that look like settings and are none. */
  unknownVariables: readonly UnknownVariable[];
  /** Settings that have no effect without another one. */
  idleSettings: readonly IdleSetting[];
}

/** All faults of the environment at once; the message is ready to be printed. */
export class ConfigurationError extends Error {
  readonly code = 'configuration';
  /** Sentences that begin with the name of a variable. */
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(['The configuration is not usable:', ...faults].join('\n  '));
    this.name = 'ConfigurationError';
    this.faults = faults;
  }
}

/** Reads the environment, and nothing else does. An empty variable counts as absent; `NAME_FILE` names a file that holds the value. */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const errors: string[] = [];
  const faulty = new Set<string>();
  const values = Object.fromEntries(
    Object.entries(SETTINGS).map(([name, type]) => {
      const { value, source, fault } = readSetting(environment, name);
      const result = type.safeParse(value);
      if (fault !== null || !result.success) faulty.add(name);
      if (fault !== null) errors.push(fault);
      else if (!result.success)
        errors.push(
          `${source} ${[...new Set(result.error.issues.map(({ message }) => message))].join('; ')}`,
        );
      return [name, result.data];
    }),
  ) as unknown as Settings;
  errors.push(
    ...findBaseUrlFaults(values),
    ...findSettingFaults(values, faulty),
    ...findDatabaseNameFaults(environment),
  );
  if (errors.length > 0) throw new ConfigurationError(errors);
  return {
    ...toConfig(values),
    unknownVariables: findUnknownVariables(environment),
    idleSettings: findIdleSettings(environment),
  };
}

function toConfig(values: Settings): Omit<Config, 'unknownVariables' | 'idleSettings'> {
  const workers = values.CHARTGATE_WORKERS;
  const processes = workers === 'auto' ? os.availableParallelism() : Number(workers);
  const baseUrl = values.CHARTGATE_BASE_URL ?? buildDefaultBaseUrl(values);
  return {
    http: {
      port: values.PORT,
      host: values.HOST,
      baseUrl,
      isBaseUrlGiven: values.CHARTGATE_BASE_URL !== undefined,
      consentAppUrl: values.CHARTGATE_CONSENT_APP_URL ?? `${baseUrl}/consent`,
      allowedHosts: [new URL(baseUrl).host, ...values.CHARTGATE_ALLOWED_HOSTS],
      trustedProxies: values.CHARTGATE_TRUSTED_PROXIES,
    },
    processes,
    db: {
      databaseUrl: values.DATABASE_URL,
      dataDirectory: values.CHARTGATE_DATA_DIR,
      reserve: { bytes: values.CHARTGATE_RESERVE_BYTES },
    },
    audit: { retentionMonths: values.CHARTGATE_AUDIT_RETENTION_MONTHS ?? null },
    mail: {
      smtpUrl: values.SMTP_URL,
      outbox: getOutbox(values.CHARTGATE_DATA_DIR),
      from: values.CHARTGATE_MAIL_FROM,
    },
    metrics: { port: values.CHARTGATE_METRICS_PORT ?? null, token: values.CHARTGATE_METRICS_TOKEN ?? null },
    telemetry: toTelemetryConfig(values),
    logLevel: values.CHARTGATE_LOG_LEVEL,
    secrets: { keys: listSecretsKeys(values)[0] ?? [] },
    objectStore: toObjectStoreConfig(values),
    oauth: {
      projectId: (values.CHARTGATE_OAUTH_PROJECT_ID as ProjectId | undefined) ?? null,
      refreshRetrySeconds: values.CHARTGATE_OAUTH_REFRESH_RETRY_SECONDS,
      rateLimit: values.CHARTGATE_OAUTH_RATE_LIMIT,
      clientMetadataDocuments: values.CHARTGATE_CLIENT_METADATA_DOCUMENTS === '1',
    },
    mcp: { rateLimit: values.CHARTGATE_MCP_RATE_LIMIT },
    signUpLimit: values.CHARTGATE_SIGN_UP_LIMIT,
    quotaBytes: values.CHARTGATE_QUOTA_BYTES,
    embeddings: toEmbeddingsConfig(values),
    oidc: toOidcConfig(values),
    sources: { allowPrivate: values.CHARTGATE_SOURCES_ALLOW_PRIVATE === '1' },
    webhooks: toWebhooksConfig(values, processes),
    backups: { folder: values.CHARTGATE_BACKUP_DIR ?? null },
  };
}

/** Where mails are written as files. */
export const getOutbox = (dataDirectory: string): string => path.join(dataDirectory, 'outbox');

/** All addresses of the machine are none that a client could call. */
const WILDCARDS: readonly string[] = ['0.0.0.0', '::'];

/** Under `localhost`, unlike under an address, passkeys work; and no page can be rebound to it. */
function buildDefaultBaseUrl({ HOST, PORT }: Pick<Settings, 'HOST' | 'PORT'>): string {
  const address = HOST.includes(':') ? `[${HOST}]` : HOST;
  return `http://${WILDCARDS.includes(HOST) ? 'localhost' : address}:${PORT}`;
}

/** An address with a zone, `fe80::1%eth0`, is one to listen on, and none that a URL can name (RFC 3986 §3.2.2). */
const findBaseUrlFaults = ({ CHARTGATE_BASE_URL: baseUrl, HOST }: Settings): string[] =>
  baseUrl !== undefined || HOST === undefined || URL.canParse(buildDefaultBaseUrl({ HOST, PORT: 0 }))
    ? []
    : ['CHARTGATE_BASE_URL must be set: no URL can name the address of HOST'];

const toWebhooksConfig = (values: Settings, processes: number): WebhooksConfig => ({
  allowPrivate: values.CHARTGATE_WEBHOOK_ALLOW_PRIVATE === '1',
  processes,
  retentionMonths: values.CHARTGATE_EVENT_RETENTION_MONTHS ?? null,
  retryDelays: values.CHARTGATE_WEBHOOK_RETRY_DELAYS,
});

function toEmbeddingsConfig(values: Settings): EmbeddingsConfig | null {
  const { CHARTGATE_EMBEDDINGS_URL: url, CHARTGATE_EMBEDDINGS_MODEL: model } = values;
  return url === undefined ? null : { url, model, key: values.CHARTGATE_EMBEDDINGS_KEY ?? null };
}

function toTelemetryConfig(values: Settings): TelemetryConfig | null {
  const endpoint = values.OTEL_EXPORTER_OTLP_ENDPOINT;
  const [traces, metrics] = [values.OTEL_TRACES_EXPORTER === 'otlp', values.OTEL_METRICS_EXPORTER === 'otlp'];
  if (endpoint === undefined || values.OTEL_SDK_DISABLED === 'true' || (!traces && !metrics)) return null;
  return {
    endpoint,
    protocol: values.OTEL_EXPORTER_OTLP_PROTOCOL,
    headers: values.OTEL_EXPORTER_OTLP_HEADERS,
    serviceName: values.OTEL_SERVICE_NAME,
    resourceAttributes: values.OTEL_RESOURCE_ATTRIBUTES,
    sampler: { name: values.OTEL_TRACES_SAMPLER, ratio: values.OTEL_TRACES_SAMPLER_ARG },
    traces,
    metrics,
    metricIntervalMs: values.OTEL_METRIC_EXPORT_INTERVAL,
  };
}

function toObjectStoreConfig(values: Settings): ObjectStoreConfig | null {
  const {
    CHARTGATE_OBJECT_STORE_URL: store,
    CHARTGATE_OBJECT_STORE_ACCESS_KEY_ID: accessKeyId,
    CHARTGATE_OBJECT_STORE_SECRET_ACCESS_KEY: secretAccessKey,
  } = values;
  if (!store || !accessKeyId || !secretAccessKey) return null;
  return { ...store, accessKeyId, secretAccessKey, takesNew: values.CHARTGATE_OBJECT_STORE_WRITES === '1' };
}

function toOidcConfig(values: Settings): OidcConfig | null {
  const {
    CHARTGATE_OIDC_ISSUER: issuer,
    CHARTGATE_OIDC_CLIENT_ID: clientId,
    CHARTGATE_OIDC_CLIENT_SECRET: clientSecret,
    CHARTGATE_OIDC_ROLES: roles,
  } = values;
  if (!issuer || !clientId || !clientSecret || !roles) return null;
  return {
    issuer,
    clientId,
    clientSecret,
    roles,
    isOnly: values.CHARTGATE_OIDC_ONLY === '1',
    organizationId: values.CHARTGATE_OIDC_ORGANIZATION_ID ?? null,
  };
}
