const FORM = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]*)([/?#].*)?$/;

/** What stands for a host where a socket in a folder is meant: an address without one cannot be read. */
const THIS_MACHINE = 'localhost';

/**
 * Returns an address for each host of a libpq connection string, which may name several (`postgresql://user@one:5432,two/db`), or
 * the folder of a Unix socket instead of one (`postgresql://user@/db?host=/var/run/postgresql`, or encoded in the host's place);
 * empty for what is none.
 */
export function parseDatabaseUrls(text: string): string[] {
  const [, start = '', hosts = '', rest = ''] = FORM.exec(text) ?? [];
  const urls = hosts.split(',').map((host) => start + host + rest);
  if (hosts === '' && start !== '') {
    const url = `${start}${THIS_MACHINE}${rest}`;
    return URL.canParse(url) && isFolder(new URL(url).searchParams.get('host')) ? [url] : [];
  }
  return urls.every((url) => URL.canParse(url) && new URL(url).hostname !== '') ? urls : [];
}

export interface DatabaseAddress {
  /** `HOST:PORT`; of a Unix socket its path. */
  server: string;
  database: string;
}

/** Says what one of `parseDatabaseUrls` names, without user and password. */
export function describeDatabaseUrl(databaseUrl: string): DatabaseAddress {
  const url = new URL(databaseUrl);
  const host = url.searchParams.get('host') ?? decodeURIComponent(url.hostname);
  const port = url.searchParams.get('port') ?? (url.port || '5432');
  return {
    server: isFolder(host) ? `${host}/.s.PGSQL.${port}` : `${host}:${port}`,
    database: decodeURIComponent(url.pathname.slice(1)),
  };
}

const isFolder = (host: string | null): boolean => host?.startsWith('/') === true;
