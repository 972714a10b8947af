import { DocumentUnreadable } from '../converter.ts';
import { byteRun, type ByteRun } from './byte-run.ts';
import { decodeInFont, decodeUnicode, type RtfDecoding, type RtfFont } from './rtf-fonts.ts';
import type { RtfToken } from './rtf-tokens.ts';
import { APART, MUTE, STARRED_WITH_TEXT, WORDS_AS_TEXT } from './rtf-words.ts';

export interface RtfReader {
  take(token: RtfToken): void;
  text(): string;
  created(): string | null;
  /** The last group is closed; what follows (editors leave a NUL) is no RTF. */
  ended(): boolean;
}

/** What holds until the group ends. Never changed in place: a group shares its parent's until it says otherwise. */
interface State {
  /** The group's first control word where that names what the group is. */
  destination: string;
  mute: boolean;
  /** Text struck out under change tracking is no longer part of the document. */
  deleted: boolean;
  font: number | null;
  /** How many characters after \u are there for readers without Unicode. */
  fallback: number;
}

interface Reading extends RtfDecoding {
  begun: boolean;
  groups: { state: State; after: string }[];
  state: State;
  /** The group was just opened: its first word may name it. */
  fresh: boolean;
  starred: boolean;
  /** Characters of a fallback still to be passed over. */
  skip: number;
  fonts: Map<number, RtfFont>;
  created: Map<string, number>;
  /** The form field being read: its type and result (RTF 1.9.1, "Form Fields"). */
  field: Map<string, number>;
  /** Bytes of one font not decoded yet: a character may be spread over two tokens. */
  pending: ByteRun;
  out: string[];
  /** What `out` held before: a million pieces of a letter each would cost 50 bytes a letter. */
  done: string;
}

/** Far deeper than any editor nests; each level costs memory. */
const DEEPEST = 2000;

export function rtfReader(): RtfReader {
  const reading: Reading = {
    begun: false,
    groups: [],
    state: { destination: '', mute: false, deleted: false, font: null, fallback: 1 },
    fresh: false,
    starred: false,
    skip: 0,
    codePage: 1252,
    decoders: new Map(),
    fonts: new Map(),
    created: new Map(),
    field: new Map(),
    pending: byteRun(),
    out: [],
    done: '',
  };
  return {
    take: (token) => TAKERS[token.kind](reading, token as never),
    text: () => {
      flush(reading);
      return (reading.done + reading.out.join('')).toWellFormed();
    },
    created: () => dayOf(reading.created),
    ended: () => reading.begun && reading.groups.length === 0,
  };
}

const TAKERS = {
  open(reading: Reading): void {
    if (reading.groups.length >= DEEPEST) {
      throw new DocumentUnreadable('too_deep', `The RTF is nested deeper than ${DEEPEST} levels.`);
    }
    flush(reading);
    reading.groups.push({ state: reading.state, after: '' });
    reading.begun = true;
    between(reading, true);
  },

  close(reading: Reading): void {
    flush(reading);
    const group = reading.groups.pop();
    if (group === undefined) return;
    if (reading.state.destination === 'formfield' && group.state.destination !== 'formfield')
      closeField(reading);
    if (group.after !== '') say(reading, group.after);
    reading.state = group.state;
    between(reading, false);
  },

  bytes(reading: Reading, { bytes, escaped }: Extract<RtfToken, { kind: 'bytes' }>): void {
    reading.fresh = false;
    const skipped = Math.min(reading.skip, bytes.length);
    reading.skip -= skipped;
    const rest = bytes.subarray(skipped);
    if (rest.length === 0) return;
    if (reading.state.destination === 'fonttbl') nameFont(reading, rest);
    else if (isShown(reading.state)) reading.pending.add(escaped ? rest : withoutControls(rest));
  },

  word(reading: Reading, { name, value }: Extract<RtfToken, { kind: 'word' }>): void {
    flush(reading);
    if (name === '*' && reading.fresh) {
      reading.starred = true;
      return;
    }
    if (reading.fresh) enter(reading, name);
    reading.fresh = false;
    reading.starred = false;
    reading.skip = 0;
    const act = ACTIONS.get(name);
    const said = WORDS_AS_TEXT.get(name);
    if (act) act(reading, value);
    else if (reading.state.destination === 'formfield') reading.field.set(name, value ?? 0);
    else if (reading.state.destination === 'creatim' && value !== null) reading.created.set(name, value);
    else if (said !== undefined && isShown(reading.state)) say(reading, said);
  },
};

function between(reading: Reading, fresh: boolean): void {
  reading.fresh = fresh;
  reading.starred = false;
  reading.skip = 0;
}

const isShown = (state: State): boolean => !state.mute && !state.deleted;

/** The first word of a group. */
function enter(reading: Reading, name: string): void {
  const { state, starred } = reading;
  const apart = APART.get(name);
  if (MUTE.has(name) || /^m[a-zA-Z]+Pr$/.test(name)) set(reading, { destination: name, mute: true });
  // {\upr{plain text}{\*\ud{the same in Unicode}}}
  else if (name === 'ud' && state.destination === 'upr')
    set(reading, { destination: name, mute: !isShownAround(reading, ['upr']) });
  else if (name === 'formfield') set(reading, { destination: name });
  else if (starred && !STARRED_WITH_TEXT.has(name)) set(reading, { destination: name, mute: true });
  else if (apart && isShown(state)) {
    say(reading, apart[0]);
    reading.groups.at(-1)!.after = apart[1];
  }
}

/** Whether text is shown where groups of these destinations stand. */
function isShownAround({ groups }: Reading, destinations: readonly string[]): boolean {
  const outside = groups.findLast(({ state }) => !destinations.includes(state.destination));
  return outside === undefined || isShown(outside.state);
}

function set(reading: Reading, change: Partial<State>): void {
  reading.state = { ...reading.state, ...change };
}

/** Control words that change how what follows is read. */
const ACTIONS = new Map<string, (reading: Reading, value: number | null) => void>([
  ['ansicpg', (reading, value) => (reading.codePage = value || 1252)],
  ['mac', (reading) => (reading.codePage = 10000)],
  ['pc', (reading) => (reading.codePage = 437)],
  ['pca', (reading) => (reading.codePage = 850)],
  ['deff', (reading, value) => set(reading, { font: value })],
  ['uc', (reading, value) => set(reading, { fallback: Math.max(0, value ?? 1) })],
  ['deleted', (reading, value) => set(reading, { deleted: value !== 0 })],
  [
    'plain',
    (reading) => set(reading, { deleted: false, font: reading.groups[1]?.state.font ?? reading.state.font }),
  ],
  [
    'f',
    (reading, value) => {
      if (reading.state.destination === 'fonttbl') startFont(reading, value ?? 0);
      set(reading, { font: value });
    },
  ],
  ['fcharset', (reading, value) => describeFont(reading, { charset: value })],
  ['cpg', (reading, value) => describeFont(reading, { codePage: value })],
  [
    'u',
    (reading, value) => {
      if (isShown(reading.state)) say(reading, decodeUnicode((value ?? 0) & 0xffff, fontOf(reading)));
      reading.skip = reading.state.fallback;
    },
  ],
]);

const CHECK_BOX = 1;
/** The result is what the form was made with. */
const DEFAULT_RESULT = 25;

/** Whether a box is ticked stands nowhere else. */
function closeField(reading: Reading): void {
  const { field } = reading;
  const result = field.get('ffres') ?? DEFAULT_RESULT;
  const isTicked = (result === DEFAULT_RESULT ? field.get('ffdefres') : result) === 1;
  if (field.get('fftype') === CHECK_BOX && isShownAround(reading, ['fldinst', 'formfield']))
    say(reading, isTicked ? '☒' : '☐');
  field.clear();
}

const fontOf = ({ fonts, state }: Reading): RtfFont | undefined =>
  state.font === null ? undefined : fonts.get(state.font);

function startFont({ fonts }: Reading, number: number): void {
  fonts.set(number, { name: '', charset: null, codePage: null });
}

function describeFont(reading: Reading, change: Partial<RtfFont>): void {
  const font = fontOf(reading);
  if (font && reading.state.destination === 'fonttbl') Object.assign(font, change);
}

const LONGEST_FONT_NAME = 64;

function nameFont(reading: Reading, bytes: Buffer): void {
  const font = fontOf(reading);
  if (font)
    font.name = (font.name + bytes.toString('latin1', 0, LONGEST_FONT_NAME))
      .split(';')[0]!
      .slice(0, LONGEST_FONT_NAME);
}

/** A raw tab is a tab; other control characters mean nothing, and PostgreSQL text holds no NUL. */
function withoutControls(bytes: Buffer): Buffer {
  return bytes.some((byte) => byte < 0x20 && byte !== 0x09)
    ? (bytes.filter((byte) => byte >= 0x20 || byte === 0x09) as Buffer)
    : bytes;
}

function say(reading: Reading, text: string): void {
  if (reading.out.push(text) < 8192) return;
  reading.done += reading.out.join('');
  reading.out = [];
}

function flush(reading: Reading): void {
  const bytes = reading.pending.take();
  if (bytes.length > 0) say(reading, decodeInFont(bytes, fontOf(reading), reading));
}

function dayOf(parts: Map<string, number>): string | null {
  const [year = 0, month = 0, day = 0] = ['yr', 'mo', 'dy'].map((name) => parts.get(name));
  const isDay = year >= 1900 && year <= 9999 && month >= 1 && month <= 12 && day >= 1 && day <= 31;
  return isDay ? [year, String(month).padStart(2, '0'), String(day).padStart(2, '0')].join('-') : null;
}
