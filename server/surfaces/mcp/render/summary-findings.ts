import type { StoredEntry } from '../../../clinical/queries/clinical.sql.ts';
import {
  MAX_ABNORMAL,
  MAX_DEVICES,
  type LastStated,
} from '../../../clinical/queries/summary-findings.sql.ts';
import { formatDate, formatDateTime, hasEnded } from './date-text.ts';
import { renderObserved } from './entry-content.ts';
import { escapeInline } from './escape-markdown.ts';
import { formatFlag, isAbnormal } from './flag-text.ts';
import { buildFactTable, join, type Block, type Fact } from './markdown.ts';
import { formatConditions, formatValue } from './measure-text.ts';
import { formatName } from './name-text.ts';
import { addStatus, formatSince, formatStatusRemark } from './observation-status.ts';
import { formatReference } from './reference-text.ts';

const MAX_RESULTS = 10;
const MAX_LISTED_DEVICES = 10;

/** Renders the tests of which the newest result is abnormal. */
export function renderAbnormalLabs(labs: readonly LastStated<'lab'>[]): Block {
  if (labs.length === 0) return null;
  const facts = labs.slice(0, MAX_RESULTS).flatMap(toFacts);
  const rest = labs.length - MAX_RESULTS;
  return [
    buildFactTable(['Test', 'Result', 'Flag', 'Range', 'Date'], facts),
    rest > 0
      ? `… and ${labs.length === MAX_ABNORMAL ? 'at least ' : ''}${rest} more tests, see \`get_labs\`.`
      : null,
  ];
}

/** A row for the result where it is abnormal itself, and one for each abnormal component. */
function toFacts(lab: LastStated<'lab'>): Fact[] {
  const { detail, title } = lab;
  const parts = [
    { ...detail, label: formatName(title) },
    ...detail.components.map((part) => ({
      ...part,
      label: `${formatName(title)}: ${formatName(part.label)}`,
    })),
  ];
  return parts.filter(isAbnormal).map((part) => ({
    cells: [
      part.label,
      join([addStatus(formatValue(part), lab), formatConditions(lab), formatSince(lab.since)]),
      formatFlag(part),
      escapeInline(part.referenceRange, 120),
      formatDateTime(lab),
    ],
    entries: [lab],
  }));
}

/** Renders smoking, pregnancy and devices in one table. */
export function renderLife(
  status: readonly LastStated<'social_history'>[],
  found: readonly StoredEntry<'device'>[],
  today: string,
): Block {
  const uses = found.filter(({ detail }) => detail.type === 'DeviceUseStatement');
  const isOver = (use: Device): boolean => isUseOver(use, today);
  const devices = found.filter((device) => !uses.includes(device) || !isOver(device));
  const facts = [
    ...status.map((entry) => ({
      cells: [
        formatName(entry.title),
        join([formatStatusRemark(entry), renderObserved(entry.detail), formatSince(entry.since)]),
        formatDate(entry),
      ],
      entries: [entry],
    })),
    ...devices.slice(0, MAX_LISTED_DEVICES).map((entry) => ({
      cells: [
        'Device',
        join([
          formatName(entry.title),
          formatPastUse(
            uses.filter((use) => isOfDevice(use, entry)),
            today,
          ),
          escapeInline(entry.detail.text, 120),
        ]),
        formatDate(entry),
      ],
      entries: [entry],
    })),
  ];
  if (facts.length === 0) return null;
  const rest = devices.length - MAX_LISTED_DEVICES;
  return [
    buildFactTable(['Finding', 'Value', 'Date'], facts),
    rest > 0
      ? `… and ${found.length === MAX_DEVICES ? 'at least ' : ''}${rest} more devices, see \`get_other_records\`.`
      : null,
  ];
}

type Device = StoredEntry<'device'>;

const isUseOver = (use: Device, today: string): boolean =>
  use.status === 'completed' || use.status === 'stopped' || hasEnded(use, today);

const isOfDevice = ({ context }: Device, { reference }: Device): boolean =>
  (context ?? []).some(({ role, from }) => role === 'device' && from === reference);

/** "use completed 2022-01-01 (DeviceUseStatement/a)", of a device whose every use is over; it may be in the body all the same. */
function formatPastUse(uses: readonly Device[], today: string): string | null {
  const [last] = uses.toSorted((one, other) => (other.endText ?? '').localeCompare(one.endText ?? ''));
  if (last === undefined || !uses.every((use) => isUseOver(use, today))) return null;
  const word = last.status === 'completed' || last.status === 'stopped' ? last.status : 'ended';
  return join([`use ${word}`, last.endText, `(${formatReference(last)})`], ' ');
}
