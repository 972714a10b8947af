import type { NamedIds } from '../../identity/organizations/find-dangling-ids.ts';
import type { OidcConfig } from '../../identity/members/oidc/provider.ts';
import type { ObjectStoreConfig } from '../../platform/objects/config.ts';

/** The settings that the checks look at. */
export interface DeploymentConfig extends Pick<NamedIds, 'oauth'> {
  http: { baseUrl: string; isBaseUrlGiven: boolean; host: string; trustedProxies: readonly string[] };
  mail: { smtpUrl: string | undefined; outbox: string; from: string };
  /** Where backups are written; null: nobody has said. */
  backups: { folder: string | null };
  oidc: OidcConfig | null;
  objectStore: ObjectStoreConfig | null;
  secrets: { keys: readonly Uint8Array[] };
  webhooks: { allowPrivate: boolean };
  sources: { allowPrivate: boolean };
  /** Variables that look like settings and are none, each with the setting that its name is like. */
  unknownVariables: readonly { name: string; nearest: string | null }[];
  /** Settings that have no effect, each with the one that is missing. */
  idleSettings: readonly { name: string; needs: string }[];
}
