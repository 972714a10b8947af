import path from 'node:path';
import { z } from 'zod';
import { parseRoleMapping } from './identity/members/oidc/role-mapping.ts';
import { parseDatabaseUrls } from './platform/db/database-urls.ts';
import { parseObjectStoreUrl } from './platform/objects/config.ts';
import { isAddressRange, isAuthority, isHost, isMailbox } from './setting-checks.ts';
import { flag, line, list, origin, pageUrl, url, wholeNumber, wholeNumbers } from './setting-types.ts';
import { RETRY_DELAYS } from './surfaces/webhooks/delivery/retry-schedule.ts';
import { TELEMETRY_SETTINGS } from './telemetry-settings.ts';

const SECRETS_KEY_RULE =
  'must be 32 bytes in Base64 (43 characters), or several such keys, separated by commas';

const secretsKeys = list
  .refine((keys) => keys.every((key) => /^[\w+/-]{43}=?$/.test(key)), { error: SECRETS_KEY_RULE })
  .transform((keys) => keys.map((key) => Buffer.from(key, 'base64')))
  .default([]);

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** Every setting, with what it means: docs/configuration.md is written from here. */
export const SETTINGS = {
  PORT: wholeNumber(0, 65_535).default(3000).describe('Port to listen on; 0 takes a free one.'),
  HOST: z
    .string()
    .refine(isHost, { error: 'must be an address or a name of this machine, such as 127.0.0.1 or 0.0.0.0' })
    .default('127.0.0.1')
    .describe('Address to listen on.'),
  CHARTGATE_WORKERS: z
    .string()
    .regex(/^(auto|[1-9]|[1-5]\d|6[0-4])$/, { error: 'must be auto or a whole number from 1 to 64' })
    .default('1')
    .describe(
      'Processes that share the port and the work, on PostgreSQL only: `auto` is one a CPU. Each is a node of its own to the database ([scaling](scaling.md#all-cores-of-one-machine)).',
    ),
  CHARTGATE_BASE_URL: origin
    .optional()
    .describe(
      'The address under which clients reach the service; issuer and audience of its tokens. An origin, such as `https://records.example.org`: no path. Default: `http://HOST:PORT`, of `0.0.0.0` and `::` `http://localhost:PORT`: for this machine alone.',
    ),
  CHARTGATE_CONSENT_APP_URL: pageUrl
    .optional()
    .describe('Where the consent page is. Default: `CHARTGATE_BASE_URL/consent`.'),
  DATABASE_URL: z
    .string()
    .refine((text) => parseDatabaseUrls(text).length > 0, {
      error:
        'must be an address that begins with postgresql:// and names a host, or the folder of a socket (?host=/var/run/postgresql)',
    })
    .optional()
    .describe(
      'A PostgreSQL 15 or newer, shared by any number of nodes. Without it the embedded store is used. It may name several hosts, `postgresql://user@one:5432,two:5432/db`: the one that takes writes is used; or the folder of a Unix socket, `postgresql://user@/db?host=/var/run/postgresql`, which is faster where PostgreSQL is on the same machine.',
    ),
  CHARTGATE_DATA_DIR: z
    .string()
    .min(1)
    .default('./data')
    .transform((text) => path.resolve(text))
    .describe('Folder of the embedded store and of the mail outbox.'),
  CHARTGATE_BACKUP_DIR: z
    .string()
    .min(1)
    .transform((text) => path.resolve(text))
    .optional()
    .describe(
      'Folder that `chartgate backup` writes into, as the service sees it: `chartgate doctor` and the system check on the console say how old the newest backup is. Nothing is written there.',
    ),
  CHARTGATE_SECRETS_KEY: secretsKeys.describe(
    'What the secrets that the service must use are encrypted under in the store: of authenticator apps, connected servers and webhooks. 32 random bytes in Base64, such as `openssl rand -base64 32` prints; after a change the new key, a comma and the one before. Without it they are stored in plain text.',
  ),
  CHARTGATE_SEAL_KEY: secretsKeys.describe(
    'Another name of `CHARTGATE_SECRETS_KEY`. Set one of the two; where both are set they must say the same.',
  ),
  CHARTGATE_OAUTH_PROJECT_ID: z
    .guid({ error: 'must be the id of a project, a UUID' })
    .toLowerCase()
    .optional()
    .describe('The project that `/mcp` belongs to. Default: the first project that was created.'),
  CHARTGATE_OAUTH_REFRESH_RETRY_SECONDS: wholeNumber(0, 120)
    .default(0)
    .describe(
      'For how long a refresh token that was just replaced may be sent again, for its same successor: for clients that lose an answer or refresh in parallel. 0: never; it revokes the grant. At most 120.',
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
  CHARTGATE_WEBHOOK_RETRY_DELAYS: wholeNumbers({
    max: 604_800,
    most: 7,
    error: 'must be one to seven whole numbers from 1 to 604800, separated by commas',
  })
    .default([...RETRY_DELAYS])
    .describe(
      'Seconds before each retry of a webhook delivery, separated by commas. Their sums are counted from the first failure, so that a chain does not drift.',
    ),
  CHARTGATE_WEBHOOK_ALLOW_PRIVATE: flag('0').describe(
    '1: webhook endpoints may be in private networks and on this machine, for development. 0: on the public internet only.',
  ),
  CHARTGATE_TRUSTED_PROXIES: list
    .default([])
    .refine((parts) => parts.every(isAddressRange), {
      error:
        'must be IP addresses or networks, such as 10.0.0.0/8, separated by commas, and not all addresses (/0)',
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
  CHARTGATE_AUDIT_RETENTION_MONTHS: wholeNumber(3)
    .optional()
    .describe(
      'Months that entries of the audit log are kept for; then whole months are dropped, and an entry says which ([audit](audit.md#months-that-were-dropped)). Default: they are kept for good.',
    ),
  CHARTGATE_EVENT_RETENTION_MONTHS: wholeNumber(3)
    .optional()
    .describe(
      'Months that webhook events, settled deliveries and attempts are kept for; then they are deleted ([what grows](operations.md#what-grows)). Default: they are kept for good.',
    ),
  CHARTGATE_RESERVE_BYTES: wholeNumber(0)
    .default(64 * 1024 ** 2)
    .describe(
      'Bytes of the disk that are held back for withdrawals: a file beside the embedded store, or two tables of PostgreSQL of this size each. 0: none, and a full disk keeps people from withdrawing.',
    ),
  CHARTGATE_OBJECT_STORE_URL: z
    .string()
    .transform((text) => parseObjectStoreUrl(text))
    .refine((store) => store !== null, {
      error: 'must name a bucket, such as https://s3.example/bucket?region=eu-central-1',
    })
    .optional()
    .describe(
      'A bucket of an S3-compatible store for originals and pictures of decisions, in path style: `https://host/bucket`, with a prefix of the keys where there is one (`https://host/bucket/prefix`) and `?region=eu-central-1` where it is not `us-east-1`. What is sent there is encrypted before. Without it they are in the database ([operations](operations.md#an-object-store)).',
    ),
  CHARTGATE_OBJECT_STORE_ACCESS_KEY_ID: line()
    .optional()
    .describe('The access key of that store, which may put, read and delete objects of the bucket.'),
  CHARTGATE_OBJECT_STORE_SECRET_ACCESS_KEY: line().optional().describe('The secret of that key.'),
  CHARTGATE_OBJECT_STORE_WRITES: flag('1').describe(
    '0: what is new is kept in the database again, and what is in the store is still read and deleted: the way back.',
  ),
  CHARTGATE_OIDC_ISSUER: url
    .optional()
    .describe(
      'The issuer of the OpenID Connect provider that members of the organization sign in at. `http://` only in a private network. Its client needs the redirect URI `CHARTGATE_BASE_URL/console/oidc`.',
    ),
  CHARTGATE_OIDC_CLIENT_ID: line().optional().describe('The client id at that provider.'),
  CHARTGATE_OIDC_CLIENT_SECRET: line().optional().describe('The client secret at that provider.'),
  CHARTGATE_OIDC_ROLES: z
    .string()
    .transform((text) => parseRoleMapping(text))
    .refine((mapping) => mapping !== null, {
      error:
        'must name a claim and groups with their roles: groups; clinic-owners=owner; clinic-staff=researcher',
    })
    .optional()
    .describe(
      'The claim that names the groups of a person, and the role of each group: `groups; clinic-owners=owner; clinic-staff=researcher`. The first that matches counts, at each sign-in. A nested claim is `realm_access.roles`.',
    ),
  CHARTGATE_OIDC_ORGANIZATION_ID: z
    .guid({ error: 'must be the id of an organization, a UUID' })
    .toLowerCase()
    .optional()
    .describe(
      'The organization whose members sign in there; no others do. Default: the first organization that was created.',
    ),
  CHARTGATE_OIDC_ONLY: flag('0').describe(
    '1: members of that organization sign in there alone, none by password or passkey; `chartgate members reset` still lets in who is locked out. 0: both. Other organizations have no provider, and sign in as ever.',
  ),
  SMTP_URL: z
    .url({
      protocol: /^smtps?$/,
      hostname: /./,
      error: 'must be an address that begins with smtp:// or smtps:// and names a host',
    })
    .optional()
    .describe(
      'Mail server. `smtp://` without STARTTLS only in a private network. Without it mails are written as .eml files into `CHARTGATE_DATA_DIR/outbox`, and deleted after 30 days.',
    ),
  CHARTGATE_MAIL_FROM: line()
    .refine(isMailbox, { error: 'must be an address, such as Clinic <no-reply@clinic.example>' })
    .default('Chartgate <no-reply@chartgate.invalid>')
    .describe('Sender of mails.'),
  CHARTGATE_EMBEDDINGS_URL: url
    .optional()
    .describe(
      'An OpenAI-compatible API that makes vectors of texts (Ollama, TEI, vLLM), for `search`. The words of all records and questions are sent to it: name one on your own machine. `http://` only in a private network. Without it `search` uses concepts and words alone.',
    ),
  CHARTGATE_EMBEDDINGS_MODEL: line(200)
    .default('bge-m3')
    .describe('The model that it is asked for. After a change, the vectors of all records are made anew.'),
  CHARTGATE_EMBEDDINGS_KEY: line().optional().describe('Bearer token that it asks for.'),
  CHARTGATE_MCP_RATE_LIMIT: wholeNumber(1)
    .default(120)
    .describe('MCP requests a minute, per patient and client, on each node.'),
  CHARTGATE_ALLOWED_HOSTS: list
    .default([])
    .refine((parts) => parts.every(isAuthority), {
      error: 'must be host names without https://, such as records.clinic.example, separated by commas',
    })
    .describe("Host names a request may be addressed to besides the base URL's, separated by commas."),
  CHARTGATE_METRICS_PORT: wholeNumber(0, 65_535)
    .optional()
    .describe(
      'Port of its own for `GET /metrics`, on `HOST`; not for the public internet. Without it and without a token, metrics are not served, and requests not counted.',
    ),
  CHARTGATE_METRICS_TOKEN: line()
    .min(16, { error: 'must have at least 16 characters' })
    .optional()
    .describe(
      'Bearer token that `GET /metrics` needs, of at least 16 characters; with it metrics are served on the public port too.',
    ),
  ...TELEMETRY_SETTINGS,
  CHARTGATE_LOG_LEVEL: z
    .enum(LOG_LEVELS, { error: `must be one of ${LOG_LEVELS.join(', ')}` })
    .default('info')
    .describe('Least severe log lines to write.'),
} as const;

/** The values, as they were read. */
export type Settings = { [Name in keyof typeof SETTINGS]: z.infer<(typeof SETTINGS)[Name]> };
