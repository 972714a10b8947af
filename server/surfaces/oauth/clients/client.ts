/** A public client, registered or documented. */
export interface Client {
  /** UUID, or the URL of its document. */
  clientId: string;
  /** As it calls itself. */
  name: string | null;
  /** The host of its document, which it was fetched from; null for registered ones. */
  host: string | null;
  redirectUris: readonly string[];
  /** null: it did not say. */
  grantTypes: readonly string[] | null;
  scope: string;
}
