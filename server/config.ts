import fs from 'node:fs';
import path from 'node:path';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import type { ProjectId } from '../contract/brands.ts';
import type { SourcesConfig } from './clinical/clinical.ts';
import type { MetricsConfig } from './platform/http/metrics-server.ts';
import type { HttpConfig, MailConfig } from './platform/platform.ts';
import type { McpConfig, OAuthConfig } from './surfaces/surfaces.ts';
import { RETRY_DELAYS } from './surfaces/webhooks/delivery/retry-schedule.ts';
import type { WebhooksConfig } from './surfaces/webhooks.ts';

const url = z
  .url({ protocol: /^https?$/, error: 'must be an address that begins with http:// or https://' })
  .transform((text) => text.replace(/\/+$/, ''));

function wholeNumber(min: number, max = Number.MAX_SAFE_INTEGER) {
  const range = max === Number.MAX_SAFE_INTEGER ? `, at least ${min}` : ` from ${min} to ${max}`;
  const error = `must be a whole number${range}`;
  return z.coerce.number({ error }).int({ error }).min(min, { error }).max(max, { error });
}

const flag = (preset: '0' | '1') => z.enum(['0', '1'], { error: 'must be 0 or 1' }).default(preset);

const list = z.string().transform((text) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean),
);

const RETRY_RULE = 'must be one to seven whole numbers from 1 to 604800, separated by commas';

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** Every setting, with what it means: docs/configuration.md is written from here. */
export const SETTINGS = {
  PORT: wholeNumber(0, 65_535).default(3000).describe('Port to listen on; 0 takes a free one.'),
  HOST: z.string().min(1).default('127.0.0.1').describe('Address to listen on.'),
  CHARTGATE_BASE_URL: url
    .optional()
    .describe(
      'The address under which clients reach the service; issuer and audience of its tokens. Default: `http://HOST:PORT`.',
    ),
  CHARTGATE_CONSENT_APP_URL: url
    .optional()
    .describe('Where the consent page is. Default: `CHARTGATE_BASE_URL/consent`.'),
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/, error: 'must be an address that begins with postgresql://' })
    .optional()
    .describe(
      'A PostgreSQL 15 or newer, shared by any number of nodes. Without it the embedded store is used.',
    ),
  CHARTGATE_DATA_DIR: z
    .string()
    .min(1)
    .default('./data')
    .transform((text) => path.resolve(text))
    .describe('Folder of the embedded store and of the mail outbox.'),
  CHARTGATE_OAUTH_PROJECT_ID: z
    .guid({ error: 'must be the id of a project, a UUID' })
    .toLowerCase()
    .optional()
    .describe('The project that `/mcp` belongs to. Default: the first project that was created.'),
  CHARTGATE_OAUTH_REFRESH_RETRY_SECONDS: wholeNumber(0, 120)
    .default(0)
    .describe(
      'For how long a refresh token that was just replaced may be sent again, for its same successor: for clients that lose an answer or refresh in parallel. 0: never; it revokes the grant.',
    ),
  CHARTGATE_OAUTH_RATE_LIMIT: wholeNumber(1)
    .default(120)
    .describe(
      'Authorization requests a minute from one address, on each node; a quarter of it for registrations and metadata documents, five times of it for registrations from everybody, ten times of it for token requests.',
    ),
  CHARTGATE_CLIENT_METADATA_DOCUMENTS: flag('1').describe(
    '1: clients may be named by the https URL of their metadata document, which is fetched. 0: only registered ones, and nothing is fetched.',
  ),
  CHARTGATE_SOURCES_ALLOW_PRIVATE: flag('0').describe(
    '1: FHIR servers that organizations connect may be in private networks and on this machine. 0: on the public internet only.',
  ),
  CHARTGATE_WEBHOOK_RETRY_DELAYS: list
    .default(RETRY_DELAYS.map(String))
    .transform((parts) => parts.map(Number))
    .pipe(
      z
        .array(z.int({ error: RETRY_RULE }).min(1, { error: RETRY_RULE }).max(604_800, { error: RETRY_RULE }))
        .min(1, { error: RETRY_RULE })
        .max(7, { error: RETRY_RULE }),
    )
    .describe(
      'Seconds before each retry of a webhook delivery, separated by commas. Their sums are counted from the first failure, so that a chain does not drift.',
    ),
  CHARTGATE_WEBHOOK_ALLOW_PRIVATE: flag('0').describe(
    '1: webhook endpoints may be in private networks and on this machine, for development. 0: on the public internet only.',
  ),
  CHARTGATE_TRUSTED_PROXIES: list
    .default([])
    .refine((parts) => parts.every(isAddressRange), {
      error: 'must be IP addresses or networks, such as 10.0.0.0/8, separated by commas',
    })
    .describe(
      'Addresses or networks (CIDR) of proxies in front, separated by commas: only their X-Forwarded-For is believed for the address of a client, by which limits are counted.',
    ),
  CHARTGATE_SIGN_UP_LIMIT: wholeNumber(1)
    .default(200)
    .describe(
      'Mails with links, to new accounts and to new passwords, that people behind one address may ask for in an hour: the people who wait in a clinic share one router. An e-mail address gets three an hour at most, whoever asks.',
    ),
  CHARTGATE_QUOTA_BYTES: wholeNumber(1)
    .default(2 * 1024 ** 3)
    .describe(
      'Bytes that are kept of a patient at most: originals as they are stored, and the text of resources. An upload beyond it is refused with 507. Besides, 50 archives a day and 20 that wait to be read: 429.',
    ),
  CHARTGATE_RESERVE_BYTES: wholeNumber(0)
    .default(64 * 1024 ** 2)
    .describe(
      'Bytes of the disk that are held back for withdrawals: a file beside the embedded store, or two tables of PostgreSQL of this size each. 0: none, and a full disk keeps people from withdrawing.',
    ),
  SMTP_URL: z
    .url({ protocol: /^smtps?$/, error: 'must be an address that begins with smtp:// or smtps://' })
    .optional()
    .describe('Mail server. Without it mails are written as .eml files into `CHARTGATE_DATA_DIR/outbox`.'),
  CHARTGATE_MAIL_FROM: z
    .string()
    .min(3, { error: 'must be an address, such as Clinic <no-reply@clinic.example>' })
    .default('Chartgate <no-reply@chartgate.invalid>')
    .describe('Sender of mails.'),
  CHARTGATE_MCP_RATE_LIMIT: wholeNumber(1)
    .default(120)
    .describe('MCP requests a minute, per patient and client, on each node.'),
  CHARTGATE_ALLOWED_HOSTS: list
    .default([])
    .describe("Host names a request may be addressed to besides the base URL's, separated by commas."),
  CHARTGATE_METRICS_PORT: wholeNumber(0, 65_535)
    .optional()
    .describe(
      'Port of its own for `GET /metrics`, on `HOST`; not for the public internet. Without it and without a token, metrics are not served.',
    ),
  CHARTGATE_METRICS_TOKEN: z
    .string()
    .min(16, { error: 'must have at least 16 characters' })
    .optional()
    .describe('Bearer token that `GET /metrics` needs; with it metrics are served on the public port too.'),
  CHARTGATE_LOG_LEVEL: z
    .enum(LOG_LEVELS, { error: `must be one of ${LOG_LEVELS.join(', ')}` })
    .default('info')
    .describe('Least severe log lines to write.'),
} as const;

function isAddressRange(text: string): boolean {
  return ipaddr.isValid(text) || ipaddr.isValidCIDR(text);
}

type Settings = { [Name in keyof typeof SETTINGS]: z.infer<(typeof SETTINGS)[Name]> };

/** The settings by who uses them: a slice for each part of the service. */
export interface Config {
  http: HttpConfig;
  db: { databaseUrl: string | undefined; dataDirectory: string; reserve: { bytes: number } };
  mail: MailConfig;
  metrics: MetricsConfig;
  logLevel: string;
  oauth: OAuthConfig;
  mcp: McpConfig;
  sources: SourcesConfig;
  /** Mails with links an hour that one client address may ask for. */
  signUpLimit: number;
  /** The bytes that are kept of a patient at most. */
  quotaBytes: number;
  webhooks: WebhooksConfig;
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
  const values = Object.fromEntries(
    Object.entries(SETTINGS).map(([name, type]) => {
      const { value, source, fault } = readSetting(environment, name);
      const result = type.safeParse(value);
      if (fault !== null) errors.push(fault);
      else if (!result.success)
        errors.push(
          `${source} ${[...new Set(result.error.issues.map(({ message }) => message))].join('; ')}`,
        );
      return [name, result.data];
    }),
  ) as unknown as Settings;
  if (errors.length > 0) throw new ConfigurationError(errors);
  return toConfig(values);
}

interface SettingValue {
  value: string | undefined;
  /** The variable that it comes from, `DATABASE_URL` or `DATABASE_URL_FILE`. */
  source: string;
  /** A sentence about a file that holds no value. */
  fault: string | null;
}

/** Reads a variable as it is written, from its file where `NAME_FILE` names one. */
export function readSetting(
  environment: Readonly<Record<string, string | undefined>>,
  name: string,
): SettingValue {
  const source = `${name}_FILE`;
  const file = environment[source];
  if (!file) return { value: environment[name] || undefined, source: name, fault: null };
  try {
    const value = fs.readFileSync(file, 'utf8').trim();
    const fault = value === '' ? `${source} must name a file that holds a value; this one is empty` : null;
    return { value: value || undefined, source, fault };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const reason = UNREADABLE.get(code ?? '') ?? 'reading it fails';
    return { value: undefined, source, fault: `${source} must name a file that can be read; ${reason}` };
  }
}

const UNREADABLE: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'there is none of this name'],
  ['EACCES', 'this user may not read it'],
  ['EISDIR', 'this is a folder'],
]);

function toConfig(values: Settings): Config {
  const host = values.HOST.includes(':') ? `[${values.HOST}]` : values.HOST;
  const baseUrl = values.CHARTGATE_BASE_URL ?? `http://${host}:${values.PORT}`;
  return {
    http: {
      port: values.PORT,
      host: values.HOST,
      baseUrl,
      consentAppUrl: values.CHARTGATE_CONSENT_APP_URL ?? `${baseUrl}/consent`,
      allowedHosts: [new URL(baseUrl).host, ...values.CHARTGATE_ALLOWED_HOSTS],
      trustedProxies: values.CHARTGATE_TRUSTED_PROXIES,
    },
    db: {
      databaseUrl: values.DATABASE_URL,
      dataDirectory: values.CHARTGATE_DATA_DIR,
      reserve: { bytes: values.CHARTGATE_RESERVE_BYTES },
    },
    mail: {
      smtpUrl: values.SMTP_URL,
      outbox: path.join(values.CHARTGATE_DATA_DIR, 'outbox'),
      from: values.CHARTGATE_MAIL_FROM,
    },
    metrics: { port: values.CHARTGATE_METRICS_PORT ?? null, token: values.CHARTGATE_METRICS_TOKEN ?? null },
    logLevel: values.CHARTGATE_LOG_LEVEL,
    oauth: {
      projectId: (values.CHARTGATE_OAUTH_PROJECT_ID as ProjectId | undefined) ?? null,
      refreshRetrySeconds: values.CHARTGATE_OAUTH_REFRESH_RETRY_SECONDS,
      rateLimit: values.CHARTGATE_OAUTH_RATE_LIMIT,
      clientMetadataDocuments: values.CHARTGATE_CLIENT_METADATA_DOCUMENTS === '1',
    },
    mcp: { rateLimit: values.CHARTGATE_MCP_RATE_LIMIT },
    signUpLimit: values.CHARTGATE_SIGN_UP_LIMIT,
    quotaBytes: values.CHARTGATE_QUOTA_BYTES,
    sources: { allowPrivate: values.CHARTGATE_SOURCES_ALLOW_PRIVATE === '1' },
    webhooks: {
      allowPrivate: values.CHARTGATE_WEBHOOK_ALLOW_PRIVATE === '1',
      retryDelays: values.CHARTGATE_WEBHOOK_RETRY_DELAYS,
    },
  };
}
