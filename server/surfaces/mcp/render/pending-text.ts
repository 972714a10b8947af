import type { DataMask } from '../../../../contract/brands.ts';
import type { PendingState } from '../../../clinical/sources/record-state.sql.ts';
import { escapeInline } from './escape-markdown.ts';
import { join } from './markdown.ts';
import { describeMissing } from './source-text.ts';

/** Codes with which a source says that it no longer accepts the sign-in it was connected with. */
const SIGN_IN_CODES = new Set<string | null>(['unauthorized', 'token_refused']);
const MAX_NAMES = 3;

type PendingSource = PendingState['sources'][number];

/**
 * "1 upload is still being read (since 08:46 UTC); this may be incomplete." One line for all that is on its way or failed;
 * null when nothing is: an allergy may stand in what waits while the record says "No known allergies".
 */
export function renderPending(pending: PendingState | undefined, now: Date): string | null {
  if (pending === undefined) return null;
  const { uploads, since, fetchesSince, held, failedAt, hiddenSince, sources } = pending;
  const silent = sources.filter(({ state, code }) => state === 'waiting' && code !== null);
  const underWay = sources.filter(
    ({ state, code }) => state === 'running' || (state === 'waiting' && code === null),
  );
  const signedOut = sources.filter(({ state, code }) => state === 'failed' && SIGN_IN_CODES.has(code));
  const partial = sources.filter(({ state }) => state === 'up_to_date');
  const failed = sources.filter(({ state, code }) => state === 'failed' && !SIGN_IN_CODES.has(code));
  const reasons = [
    uploads > 0 &&
      since !== null &&
      `${uploads} ${uploads === 1 ? 'upload is' : 'uploads are'} still being read (since ${formatSince(since, now)})`,
    fetchesSince !== null &&
      `what a connected server sent is still being read (since ${formatSince(fetchesSince, now)})`,
    hiddenSince !== null && `an upload is being taken out (since ${formatSince(hiddenSince, now)})`,
    held > 0 &&
      `${held} ${held === 1 ? 'upload waits' : 'uploads wait'} for the patient's answer whether it is about them`,
    underWay.length > 0 && `${nameSources(underWay)} ${isOrAre(underWay)} still being fetched`,
    silent.length > 0 &&
      `${nameSources(silent)} ${silent.length === 1 ? 'does' : 'do'} not answer now and ${isOrAre(silent)} tried again`,
    failedAt !== null && `the newest upload (${formatSince(failedAt, now)}) could not be read`,
    failed.length > 0 && `${nameSources(failed)} could not be fetched the last time`,
    ...partial.slice(0, MAX_NAMES).map(describePartial),
    partial.length > MAX_NAMES && `${partial.length - MAX_NAMES} more sources were fetched in part`,
    signedOut.length > 0 && `${nameSources(signedOut)} ${isOrAre(signedOut)} waiting for a new sign-in`,
  ];
  const text = join(reasons);
  return text === '' ? null : `${text.charAt(0).toUpperCase()}${text.slice(1)}; this may be incomplete.`;
}

const describePartial = (source: PendingSource): string =>
  `${nameSources([source])} was fetched in part (${describeMissing(source)})`;

/**
 * "1 upload (2026-11-20) could be read only in part: …", or not at all, which stands over every answer as long as that upload is there, and
 * likewise of what a connected server sent; null where all was read. What is not read may be an allergy too.
 */
export function renderReadInPart(pending: PendingState | undefined, withheld: DataMask): string | null {
  if (pending === undefined) return null;
  const { inPart, inPartAt, unread, fetchInPartAt } = pending;
  const texts = [
    inPartAt !== null && describeUploadsInPart({ inPart, inPartAt, unread }),
    fetchInPartAt !== null &&
      `What a connected server sent (${formatDay(fetchInPartAt)}) could not be read completely; the rest is missing here.`,
  ];
  const text = join(texts, ' ');
  return text === '' ? null : `${text} ${withheld === 0 ? WHY : WHY_ELSEWHERE}`;
}

const WHY = '`update_and_check_recent_records` says why.';
/** What could not be read may be of what is withheld. */
const WHY_ELSEWHERE =
  'The patient alone is told why, since not everything is shared; `update_and_check_recent_records` has the link to their page.';

function describeUploadsInPart({
  inPart,
  inPartAt,
  unread,
}: Pick<PendingState, 'inPart' | 'unread'> & { inPartAt: string }): string {
  const day = formatDay(inPartAt);
  const uploads = inPart === 1 ? `1 upload (${day})` : `${inPart} uploads (the newest of ${day})`;
  const found =
    unread === inPart
      ? 'could not be read; what is in it'
      : `could be read only in part${unread > 0 ? ', or not at all' : ''}; the rest`;
  return `${uploads} ${found} is missing here.`;
}

const isOrAre = (sources: readonly unknown[]): string => (sources.length === 1 ? 'is' : 'are');

/** Names sources, three at most, and counts those that have no name here. */
function nameSources(sources: readonly PendingSource[]): string {
  const names = sources.flatMap(({ name }) => (name === null ? [] : [escapeInline(name, 60)]));
  const elsewhere = sources.length - names.length;
  const more = names.length - MAX_NAMES;
  return join(
    [
      names.slice(0, MAX_NAMES).join(', '),
      more > 0 && `${more} more sources`,
      elsewhere === 1 && 'a server that is connected elsewhere',
      elsewhere > 1 && `${elsewhere} servers that are connected elsewhere`,
    ],
    ' and ',
  );
}

const formatDay = (at: string): string => new Date(at).toISOString().slice(0, 10);

/** "08:46 UTC" today, else the day. */
function formatSince(at: string, now: Date): string {
  const written = new Date(at).toISOString();
  return written.slice(0, 10) === now.toISOString().slice(0, 10)
    ? `${written.slice(11, 16)} UTC`
    : written.slice(0, 10);
}
