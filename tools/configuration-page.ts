import { SETTINGS } from '../server/settings.ts';

/** Renders docs/configuration.md from the settings themselves. */
export function renderConfigurationPage(): string {
  const rows = Object.entries(SETTINGS).map(
    ([name, type]) => `| \`${name}\` | ${formatDefault(type)} | ${type.description} |`,
  );
  return [
    '# Configuration',
    '',
    'Written by `npm run docs` from `server/config.ts`; edit that.',
    '',
    'Everything is set by environment variables, read once at start. All faults are reported together and the process exits with 1.',
    'An empty variable counts as absent. Any of them may be given as `NAME_FILE`, a file that holds the value: the way to hand over secrets.',
    '',
    '| Variable | Default | Meaning |',
    '|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

interface Definition {
  type: string;
  defaultValue?: unknown;
  in?: { def: Definition };
}

/** Formats a default as it would be written in the environment. */
function formatDefault(type: (typeof SETTINGS)[keyof typeof SETTINGS]): string {
  let definition = type.def as Definition;
  while (definition.type === 'pipe' && definition.in) definition = definition.in.def;
  const value = definition.defaultValue;
  if (value === undefined || (typeof value === 'object' && Object.keys(value as object).length === 0))
    return '—';
  return `\`${value as string}\``;
}
