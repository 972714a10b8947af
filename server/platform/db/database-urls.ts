const FORM = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]+)([/?#].*)?$/;

/**
 * Returns an address for each host of a libpq connection string, which may name several (`postgresql://user@one:5432,two/db`);
 * empty for what is none.
 */
export function parseDatabaseUrls(text: string): string[] {
  const [, start = '', hosts = '', rest = ''] = FORM.exec(text) ?? [];
  const urls = hosts.split(',').map((host) => `${start}${host}${rest}`);
  return urls.every((url) => URL.canParse(url) && new URL(url).hostname !== '') ? urls : [];
}
