/**
 * What every session is set to, whatever the server, the database or the role is: on it depend what statements mean, how their answers
 * are parsed, and what they cost. `search_path` and `default_transaction_read_only` are the operator's to choose. Times are passed
 * with their offset, and days are counted in a zone that the statement names, so that `TimeZone` may be any.
 */
export const SESSION_SETTINGS: Readonly<Record<string, string>> = {
  // By default PostgreSQL plans the gated reads at every call, which takes three times their execution.
  plan_cache_mode: 'force_generic_plan',
  // It compiles those that it takes for expensive at every execution: a summary of sixty years took 72 ms with that and 59 without.
  jit: 'off',
  // Times and days come as text, and are parsed in this form only.
  datestyle: 'ISO',
  intervalstyle: 'postgres',
  // The driver decodes the other form byte by byte.
  bytea_output: 'hex',
  // The shortest text that is exactly the number.
  extra_float_digits: '1',
  // Patterns in statements have backslashes that are no escapes.
  standard_conforming_strings: 'on',
  // Lists are passed as text, where NULL would become a word.
  array_nulls: 'on',
  // A search of a sample of what is there would miss the rest.
  gin_fuzzy_search_limit: '0',
  // Statements lock what they rely on. With more isolation they fail beside each other, and reads of one record are refused.
  default_transaction_isolation: 'read committed',
};

const OPTIONS = Object.entries(SESSION_SETTINGS)
  .map(([name, value]) => `-c ${name}=${value.replaceAll(' ', '\\ ')}`)
  .join(' ');

/**
 * Returns the address with the settings among its `options`, after those of the operator: the last one counts, and the driver
 * prefers what an address says to everything else. They go with the first message of a connection, and cost no statement.
 */
export function withSessionSettings(databaseUrl: string): string {
  const [address = ''] = databaseUrl.split('#', 1);
  const given = new URL(address).searchParams.getAll('options').at(-1);
  const before = given === undefined ? '' : `${encodeURIComponent(given)}%20`;
  return `${address}${address.includes('?') ? '&' : '?'}options=${before}${OPTIONS.replaceAll(' ', '%20')}`;
}

/** Says whether a setting is as it should be; that of days is followed by the order in which others than ours are read. */
export const isSessionSetting = (name: string, value: string): boolean =>
  name === 'datestyle' ? value.startsWith('ISO') : value === SESSION_SETTINGS[name];
