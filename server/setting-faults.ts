import fs from 'node:fs';
import { parseDatabaseUrls } from './platform/db/database-urls.ts';
import { explainUnreadable } from './read-setting.ts';
import type { Settings } from './settings.ts';

/** Returns sentences about settings that do not go together; `faulty` are those that have a sentence of their own already. */
export const findSettingFaults = (values: Settings, faulty: ReadonlySet<string>): string[] => [
  ...findOidcFaults(values, faulty),
  ...findObjectStoreFaults(values),
  ...findProcessFaults(values),
  ...findPortFaults(values),
  ...findDatabaseFileFaults(values),
  ...findSecretsKeyFaults(values),
];

const OIDC_SETTINGS = [
  'CHARTGATE_OIDC_ISSUER',
  'CHARTGATE_OIDC_CLIENT_ID',
  'CHARTGATE_OIDC_CLIENT_SECRET',
  'CHARTGATE_OIDC_ROLES',
] as const;

/** All four, or none: with some of them nobody could sign in, and nobody would say why. Of a faulty one that is said already. */
function findOidcFaults(values: Settings, faulty: ReadonlySet<string>): string[] {
  const isMeant =
    OIDC_SETTINGS.some((name) => values[name] !== undefined || faulty.has(name)) ||
    values.CHARTGATE_OIDC_ONLY === '1';
  if (!isMeant) return [];
  return OIDC_SETTINGS.filter((name) => values[name] === undefined && !faulty.has(name)).map(
    (name) => `${name} must be set too: signing in by OpenID Connect needs ${OIDC_SETTINGS.join(', ')}`,
  );
}

const OBJECT_STORE_KEYS = [
  'CHARTGATE_OBJECT_STORE_ACCESS_KEY_ID',
  'CHARTGATE_OBJECT_STORE_SECRET_ACCESS_KEY',
] as const;

const findObjectStoreFaults = (values: Settings): string[] =>
  values.CHARTGATE_OBJECT_STORE_URL
    ? OBJECT_STORE_KEYS.filter((name) => values[name] === undefined).map(
        (name) =>
          `${name} must be set too: CHARTGATE_OBJECT_STORE_URL needs ${OBJECT_STORE_KEYS.join(' and ')}`,
      )
    : [];

const findProcessFaults = ({ CHARTGATE_WORKERS: workers, DATABASE_URL: databaseUrl }: Settings): string[] =>
  workers === '1' || databaseUrl !== undefined
    ? []
    : [
        'CHARTGATE_WORKERS needs DATABASE_URL: the embedded store is inside of one process, which no other can share',
      ];

const findPortFaults = ({ PORT: port, CHARTGATE_METRICS_PORT: metricsPort }: Settings): string[] =>
  metricsPort !== undefined && metricsPort === port && port !== 0
    ? ['CHARTGATE_METRICS_PORT must be another port than PORT']
    : [];

/** The driver reads them when it connects, and names neither the variable nor the parameter. */
function findDatabaseFileFaults({ DATABASE_URL: databaseUrl = '' }: Settings): string[] {
  const [url] = parseDatabaseUrls(databaseUrl);
  if (url === undefined) return [];
  return ['sslrootcert', 'sslcert', 'sslkey'].flatMap((name) => {
    const file = new URL(url).searchParams.get(name);
    try {
      if (file) fs.readFileSync(file);
      return [];
    } catch (error) {
      return [`DATABASE_URL must name a file that can be read as ${name}; ${explainUnreadable(error)}`];
    }
  });
}

/** The keys by each of their two names that is set; none of one that is faulty. */
export const listSecretsKeys = ({
  CHARTGATE_SECRETS_KEY: keys,
  CHARTGATE_SEAL_KEY: alias,
}: Settings): Buffer[][] => [keys, alias].filter((each) => each?.length > 0);

/** Which of two different keys seals would be a guess; a wrong one leaves secrets that nobody opens. */
function findSecretsKeyFaults(values: Settings): string[] {
  const [one, other] = listSecretsKeys(values).map((keys) => Buffer.concat(keys));
  return one && other && !one.equals(other)
    ? [
        'CHARTGATE_SEAL_KEY must be the same as CHARTGATE_SECRETS_KEY, which it is another name of, or not be set',
      ]
    : [];
}
