import { formatCount } from '../../../kit/format-number.ts';
import type { AccessLogEntry as LogEntry } from '../../../../contract/account/access-log.ts';
import { formatClientName } from '../../../patient/client-name.ts';
import type { Words } from '../words/en.ts';
import { formatConsentKind } from '../consents/consent-name.ts';
import type { DecisionKind } from './decisions.ts';
import { EARLY_END, renderEarlyEnd } from './early-end.ts';
import type { SentenceContext } from './sentence-context.ts';
import { formatKinds, listKinds, renderRead } from './read-sentence.ts';

/** The kind of event, which decides the icon. */
export type LineKind =
  | 'read'
  | 'search'
  | 'refused'
  | 'yes'
  | 'change'
  | 'stop'
  | 'connected'
  | 'added'
  | 'other';

export interface Line {
  kind: LineKind;
  text: string;
}

/** Renders an entry of the log as a sentence: "Claude read 14 lab results from 2023 to 2026". */
export function renderLine(entry: LogEntry, context: SentenceContext): Line {
  const { activity } = context.words.myData;
  if (entry.action === EARLY_END)
    return { kind: 'refused', text: renderEarlyEnd(entry, getActorName(entry, context), context) };
  if (entry.outcome !== 'success') return renderUnsuccessful(entry, context);
  if (entry.tool !== null) return { kind: toLineKind(entry.tool), text: renderToolCall(entry, context) };
  const renderer = LINE_RENDERERS.get(entry.action);
  if (renderer) return renderer(entry, context);
  if (FHIR_READ.test(entry.action))
    return { kind: 'read', text: renderRead(entry, getActorName(entry, context), context) };
  return { kind: 'other', text: activity.other(getActorName(entry, context)) };
}

/** Any read by FHIR: a Bundle, one resource, a page. */
const FHIR_READ = /^fhir\./;

/**
 * Returns who acted: the app by its own name, else the organization or person behind it. Decisions are the person's, also those
 * that entries of before name a program for.
 */
export function getActorName(
  { action, client, actor, organization }: LogEntry,
  { words }: SentenceContext,
): string {
  const { activity } = words.myData;
  if (actor.kind === 'system') return activity.service;
  if (actor.kind !== 'patient') return formatClientName(organization, words);
  if (client === null || (client.id === 'direct' && action === 'consent.recorded')) return activity.you;
  return client.id === 'direct' ? activity.direct : formatClientName(client, words);
}

function renderUnsuccessful(entry: LogEntry, context: SentenceContext): Line {
  const { activity } = context.words.myData;
  const who = getActorName(entry, context);
  const kinds = listKinds(entry);
  // A call that named no tool of ours was one too.
  const isRead = entry.action === 'mcp.tools_call' || FHIR_READ.test(entry.action);
  const what = kinds.length === 0 ? activity.yourRecord : formatKinds(kinds, context);
  if (FHIR_READ.test(entry.action) && entry.reason === 'not_found')
    return { kind: 'refused', text: activity.notThere(who, what) };
  const refusal = entry.outcome === 'refused' ? activity.refused(who, what) : activity.failed(who, what);
  return { kind: 'refused', text: isRead ? refusal : activity.otherRefused(who) };
}

const toLineKind = (tool: string): LineKind => (tool.startsWith('search') ? 'search' : 'read');

function renderToolCall(entry: LogEntry, context: SentenceContext): string {
  const { activity } = context.words.myData;
  const who = getActorName(entry, context);
  const number = entry.entries ?? 0;
  switch (entry.tool) {
    case 'update_and_check_recent_records':
      return activity.checked(who);
    case 'get_health_summary':
      return activity.summary(who, formatCount(number, activity.entries, context.language));
    case 'search':
      return activity.searched(who, formatCount(number, activity.results, context.language));
    case 'search_clinical_notes':
      if (number === 0 && entry.notShared.length > 0)
        return activity.notShared(who, formatKinds(entry.notShared, context));
      return activity.searchedNotes(who, formatCount(number, activity.results, context.language));
    default:
      return renderRead(entry, getActorName(entry, context), context);
  }
}

type LineRenderer = (entry: LogEntry, context: SentenceContext) => Line;

const LINE_KINDS: Record<DecisionKind, LineKind> = {
  given: 'yes',
  changed: 'change',
  refused: 'stop',
  withdrawn: 'stop',
  revoked: 'stop',
};

const renderDecision: LineRenderer = ({ organization, consentRecordId }, context) => {
  const { words, decisions } = context;
  const decision = decisions.get(consentRecordId ?? '');
  if (decision === undefined)
    return { kind: 'change', text: words.myData.activity.decided(formatClientName(organization, words)) };
  const { kind } = decision;
  return {
    kind: LINE_KINDS[kind],
    text: words.myData.receipts.kinds[kind](formatConsentKind(decision, context)),
  };
};

const createClientRenderer =
  (kind: LineKind, getText: (words: Words['myData']['activity']) => (who: string) => string): LineRenderer =>
  ({ client }, { words }) => ({
    kind,
    text: getText(words.myData.activity)(formatClientName(client ?? { name: null }, words)),
  });

/** An app ends for a person by themselves or by what happened to its tokens, or because the organization blocked it. */
const renderDisconnection: LineRenderer = ({ client, actor, organization }, { words }) => {
  const { activity } = words.myData;
  const app = formatClientName(client ?? { name: null }, words);
  const isByThem = actor.kind !== 'patient' && actor.kind !== 'system';
  const text = isByThem
    ? activity.stopped(formatClientName(organization, words), app)
    : activity.disconnected(app);
  return { kind: 'stop', text };
};

const createPersonRenderer =
  (getText: (words: Words['myData']['activity']) => (who: string) => string): LineRenderer =>
  (entry, context) => ({
    kind: 'change',
    text: getText(context.words.myData.activity)(getActorName(entry, context)),
  });

const createViewRenderer =
  (getText: (words: Words['myData']['activity']) => (who: string) => string): LineRenderer =>
  (entry, context) => ({
    kind: 'read',
    text: getText(context.words.myData.activity)(getActorName(entry, context)),
  });

const createOrganizationRenderer =
  (
    kind: LineKind,
    getText: (words: Words['myData']['activity']) => (organization: string) => string,
  ): LineRenderer =>
  ({ organization }, { words }) => ({
    kind,
    text: getText(words.myData.activity)(formatClientName(organization, words)),
  });

/** By the action of the entry; any other action gets a general sentence. */
const LINE_RENDERERS: ReadonlyMap<string, LineRenderer> = new Map([
  ['consent.recorded', renderDecision],
  ['consent.evidence_viewed', createViewRenderer(({ sawScreens }) => sawScreens)],
  ['consent.record_viewed', createViewRenderer(({ sawDecision }) => sawDecision)],
  ['evidence.exported', createViewRenderer(({ tookEvidence }) => tookEvidence)],
  ['oauth.denied', createClientRenderer('stop', ({ denied }) => denied)],
  ['oauth.code_exchanged', createClientRenderer('connected', ({ connected }) => connected)],
  ['oauth.grant_revoked', renderDisconnection],
  ['patient.enrolled', createOrganizationRenderer('added', ({ enrolled }) => enrolled)],
  ['test_patient.created', createOrganizationRenderer('added', ({ madeAccount }) => madeAccount)],
  [
    'test_patient.password_renewed',
    createOrganizationRenderer('change', ({ renewedPassword }) => renewedPassword),
  ],
  ['patient.invited', createOrganizationRenderer('added', ({ invited }) => invited)],
  ['patient.updated', createOrganizationRenderer('change', ({ corrected }) => corrected)],
  ['enrollment.ended', createOrganizationRenderer('stop', ({ endedEnrollment }) => endedEnrollment)],
  ['upload.confirmed', createPersonRenderer(({ confirmedUpload }) => confirmedUpload)],
  ['upload.removed', createPersonRenderer(({ removedUpload }) => removedUpload)],
  ['document.stated_harmless', createPersonRenderer(({ statedHarmless }) => statedHarmless)],
  ['document.statement_withdrawn', createPersonRenderer(({ tookStatementBack }) => tookStatementBack)],
  ['source.sync_requested', createOrganizationRenderer('added', ({ fetched }) => fetched)],
  ['patient.viewed', createViewRenderer(({ sawDetails }) => sawDetails)],
  ['access_log.viewed', createViewRenderer(({ sawLog }) => sawLog)],
  ['audit.exported', createViewRenderer(({ tookLog }) => tookLog)],
]);
