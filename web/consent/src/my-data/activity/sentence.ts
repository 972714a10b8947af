import type { AccessLogEntry as LogEntry } from '../../../../../contract/access-log.ts';
import { clientName } from '../../request/client-name.ts';
import type { Words } from '../../words/en.ts';
import type { Language } from '../../words/spoken.ts';
import { listOf } from '../../words/list.ts';
import type { DecisionKind } from './decisions.ts';
import { kindOfType, type Kind } from './kind-of-type.ts';

export interface Telling {
  words: Words;
  language: Language;
  /** What each decision was, by the id of its consent record. */
  decisions: ReadonlyMap<string, DecisionKind>;
}

/** What sort of thing it was, for the eye. */
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

/** One entry of the log as a person would tell it: "Claude read 14 lab results from 2023 to 2026". */
export function lineOf(entry: LogEntry, telling: Telling): Line {
  const { activity } = telling.words.myData;
  if (entry.outcome !== 'success') return notDone(entry, telling);
  if (entry.tool !== null) return { kind: kindOf(entry.tool), text: toolText(entry, telling) };
  const told = TELL.get(entry.action);
  if (told) return told(entry, telling);
  if (READS.test(entry.action)) return { kind: 'read', text: readText(entry, telling) };
  return { kind: 'other', text: activity.other(whoIn(entry, telling)) };
}

/** FHIR, whatever of it: a Bundle, one resource, a page. */
const READS = /^fhir\./;

/** Who did it: the app by its own name, else the people behind it. */
export function whoIn({ client, actor, organization }: LogEntry, { words }: Telling): string {
  const { activity } = words.myData;
  if (actor.kind === 'system') return activity.service;
  if (actor.kind !== 'patient') return clientName(organization, words);
  if (client === null) return activity.you;
  return client.id === 'direct' ? activity.direct : clientName(client, words);
}

function notDone(entry: LogEntry, telling: Telling): Line {
  const { activity } = telling.words.myData;
  const who = whoIn(entry, telling);
  const kinds = kindsOf(entry);
  const reads = entry.tool !== null || READS.test(entry.action);
  const what = kinds.length === 0 ? activity.yourRecord : kindsText(kinds, telling);
  const said = entry.outcome === 'refused' ? activity.tried(who, what) : activity.failed(who, what);
  return { kind: 'refused', text: reads ? said : activity.otherRefused(who) };
}

const kindOf = (tool: string): LineKind => (tool.startsWith('search') ? 'search' : 'read');

function toolText(entry: LogEntry, telling: Telling): string {
  const { activity } = telling.words.myData;
  const who = whoIn(entry, telling);
  const number = entry.entries ?? 0;
  switch (entry.tool) {
    case 'update_and_check_recent_records':
      return activity.checked(who);
    case 'get_health_summary':
      return activity.summary(who, counted(number, activity.entries, telling));
    case 'search':
      return activity.searched(who, counted(number, activity.results, telling));
    case 'search_clinical_notes':
      return activity.searchedNotes(who, counted(number, activity.results, telling));
    default:
      return readText(entry, telling);
  }
}

/** The kinds that were read; where that is not told, the kinds that were asked for. */
function kindsOf({ categories, tool, types }: LogEntry): readonly Kind[] {
  const asked = tool === null ? undefined : ASKED_FOR.get(tool);
  if (categories.length > 0) return categories;
  return asked === undefined ? [...new Set(types.map(kindOfType))] : [asked];
}

const ASKED_FOR: ReadonlyMap<string, Kind> = new Map([
  ['get_allergies', 'ALLERGIES'],
  ['get_conditions', 'DIAGNOSES'],
  ['get_immunizations', 'IMMUNIZATIONS'],
  ['get_labs', 'LABS'],
  ['get_medications', 'MEDICATIONS'],
  ['get_procedures', 'PROCEDURES'],
  ['get_visits', 'VISITS'],
  ['get_vitals', 'CLINICAL_VITALS'],
  ['search_clinical_notes', 'CLINICAL_NOTES'],
]);

function readText(entry: LogEntry, telling: Telling): string {
  const { activity } = telling.words.myData;
  const who = whoIn(entry, telling);
  const kinds = kindsOf(entry);
  const [kind, ...more] = kinds;
  if (kind === undefined) return recordText(entry, telling);
  if (entry.entries === 0) return activity.found(who, dated(kindsText(kinds, telling), entry, telling));
  if (entry.entries === null) return activity.read(who, dated(kindsText(kinds, telling), entry, telling));
  if (more.length === 0) {
    const what = counted(entry.entries, { ...activity.things[kind], none: '' }, telling);
    return activity.read(who, dated(what, entry, telling));
  }
  const entries = dated(counted(entry.entries, activity.entries, telling), entry, telling);
  return activity.readEntries(who, entries, kindsText(kinds, telling));
}

/** Of all kinds: the whole, or so much of it. */
function recordText(entry: LogEntry, telling: Telling): string {
  const { activity } = telling.words.myData;
  const who = whoIn(entry, telling);
  if (entry.entries === null || entry.entries === 0) return activity.readRecord(who);
  const entries = counted(entry.entries, activity.entries, telling);
  return entry.whole ? activity.readAll(who, entries) : activity.readPart(who, entries);
}

const kindsText = (kinds: readonly Kind[], { words, language }: Telling): string =>
  listOf(
    kinds.map((kind) => words.myData.activity.kinds[kind]),
    language,
  );

interface Countable {
  one: string;
  many: (count: string) => string;
  none: string;
}

function counted(count: number, { one, many, none }: Countable, { language }: Telling): string {
  if (count === 0) return none;
  return count === 1 ? one : many(new Intl.NumberFormat(language).format(count));
}

/** The years that were asked for: of a window that is open at its end, until the year of the call. */
function dated(what: string, { from, until, at }: LogEntry, { words }: Telling): string {
  const { activity } = words.myData;
  const [first, last] = [from?.slice(0, 4), (until ?? at).slice(0, 4)];
  if (first === undefined) return until === null ? what : activity.upTo(what, last);
  return first === last ? activity.fromYear(what, first) : activity.fromTo(what, first, last);
}

type Tell = (entry: LogEntry, telling: Telling) => Line;

const decision: Tell = ({ organization, consentRecordId }, { words, decisions }) => {
  const { activity } = words.myData;
  const name = clientName(organization, words);
  switch (decisions.get(consentRecordId ?? '')) {
    case 'given':
      return { kind: 'yes', text: activity.shared(name) };
    case 'changed':
      return { kind: 'change', text: activity.changed(name) };
    case 'taken-back':
      return { kind: 'stop', text: activity.stopped(name) };
    default:
      return { kind: 'change', text: activity.decided(name) };
  }
};

const byClient =
  (kind: LineKind, say: (words: Words['myData']['activity']) => (who: string) => string): Tell =>
  ({ client }, { words }) => ({
    kind,
    text: say(words.myData.activity)(clientName(client ?? { name: null }, words)),
  });

const looked =
  (say: (words: Words['myData']['activity']) => (who: string) => string): Tell =>
  (entry, telling) => ({
    kind: 'read',
    text: say(telling.words.myData.activity)(whoIn(entry, telling)),
  });

const byOrganization =
  (kind: LineKind, say: (words: Words['myData']['activity']) => (organization: string) => string): Tell =>
  ({ organization }, { words }) => ({
    kind,
    text: say(words.myData.activity)(clientName(organization, words)),
  });

/** By the action of the log; what is not here gets a general sentence. */
const TELL: ReadonlyMap<string, Tell> = new Map([
  ['consent.recorded', decision],
  ['consent.evidence_viewed', looked(({ sawScreens }) => sawScreens)],
  ['consent.record_viewed', looked(({ sawDecision }) => sawDecision)],
  ['oauth.denied', byClient('stop', ({ denied }) => denied)],
  ['oauth.code_exchanged', byClient('connected', ({ connected }) => connected)],
  ['oauth.grant_revoked', byClient('stop', ({ disconnected }) => disconnected)],
  ['patient.enrolled', byOrganization('added', ({ enrolled }) => enrolled)],
  ['test_patient.created', byOrganization('added', ({ madeAccount }) => madeAccount)],
  ['test_patient.password_renewed', byOrganization('change', ({ renewedPassword }) => renewedPassword)],
  ['source.sync_requested', byOrganization('added', ({ fetched }) => fetched)],
  ['access_log.viewed', looked(({ sawLog }) => sawLog)],
]);
