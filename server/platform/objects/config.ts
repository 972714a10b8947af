/** An S3-compatible object store, as the operator has named it. */
export interface ObjectStoreConfig {
  /** The bucket, and the beginning of all keys in it where there is one: `https://host/bucket/prefix`, without a slash at the end. */
  url: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** false: new content is kept in the database; what is here is read and deleted still. */
  takesNew: boolean;
}

const DEFAULT_REGION = 'us-east-1';

/** Parses `https://host/bucket?region=eu-central-1`; null for what is no such address. */
export function parseObjectStoreUrl(text: string): Pick<ObjectStoreConfig, 'url' | 'region'> | null {
  const url = URL.parse(text);
  if (
    !url ||
    !/^https?:$/.test(url.protocol) ||
    url.username !== '' ||
    url.password !== '' ||
    url.hash !== ''
  )
    return null;
  const { region = DEFAULT_REGION, ...others } = Object.fromEntries(url.searchParams);
  const path = url.pathname.replace(/\/+$/, '');
  if (!/^(\/[\w.-]+)+$/.test(path) || !/^[\w-]+$/.test(region) || Object.keys(others).length > 0) return null;
  return { url: url.origin + path, region };
}
