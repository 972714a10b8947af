import { EVENT_TYPES, EventType, buildExampleEnvelope } from '../contract/webhooks/webhook-events.ts';
import { RETRY_DELAYS } from '../server/surfaces/webhooks/delivery/retry-schedule.ts';
import { replacePart } from './replace-part.ts';

/** Renders docs/webhooks.md with the parts that come from code, each between its two comments. */
export function renderWebhooksPage(page: string): string {
  const parts: Readonly<Record<string, string>> = { events: renderEvents(), retries: renderRetries() };
  return Object.entries(parts).reduce((text, [name, part]) => replacePart(text, name, part), page);
}

function renderEvents(): string {
  const rows = EventType.options.map((type) => {
    const fields = Object.keys(EVENT_TYPES[type].data.shape).map((field) => `\`${field}\``);
    return `| \`${type}\` | ${EVENT_TYPES[type].description} | ${fields.join(', ')} |`;
  });
  const examples = EventType.options.map(
    (type) => `\`\`\`json\n${JSON.stringify(buildExampleEnvelope(type), null, 2)}\n\`\`\``,
  );
  return [
    ['| type | when | `data` |', '|---|---|---|', ...rows].join('\n'),
    '<details><summary>A body of each</summary>',
    ...examples,
    '</details>',
  ].join('\n\n');
}

function renderRetries(): string {
  const rows = RETRY_DELAYS.map((delay, index) => {
    const elapsed = RETRY_DELAYS.slice(0, index + 1).reduce((sum, seconds) => sum + seconds, 0);
    return `| ${index + 1} | ${index + 2} | ${formatDuration(delay)} | ${formatDuration(elapsed)} |`;
  });
  return [
    '| retry | `deliveryAttempt` | delay | since the first failure |',
    '|---|---|---|---|',
    ...rows,
  ].join('\n');
}

/** 118805 → "33 h 00 m 05 s"; what is 0 at the beginning or the end is left out. */
function formatDuration(seconds: number): string {
  const parts = [
    { count: Math.floor(seconds / 3600), unit: 'h' },
    { count: Math.floor(seconds / 60) % 60, unit: 'm' },
    { count: seconds % 60, unit: 's' },
  ];
  const first = parts.findIndex(({ count }) => count > 0);
  const last = parts.findLastIndex(({ count }) => count > 0);
  return parts
    .slice(first, last + 1)
    .map(({ count, unit }, index) => `${index === 0 ? count : String(count).padStart(2, '0')} ${unit}`)
    .join(' ');
}
