import { DocumentError } from '../converter.ts';
import { createByteBuffer, type ByteBuffer } from './byte-buffer.ts';
import { decodeInFont, decodeUnicode, type RtfDecoding, type RtfFont } from './rtf-fonts.ts';
import type { RtfToken } from './rtf-tokens.ts';
import { DETACHED_GROUPS, MUTED_GROUPS, STARRED_WITH_TEXT, TEXT_BY_CONTROL_WORD } from './rtf-words.ts';

export interface RtfReader {
  push(token: RtfToken): void;
  text(): string;
  created(): string | null;
  /** True when the last group is closed; what follows (editors leave a NUL) is no RTF. */
  isComplete(): boolean;
}

/** The state of a group, never changed in place: a group shares its parent's until a control word changes it. */
interface GroupState {
  /** The group's first control word where that names what the group is. */
  destination: string;
  mute: boolean;
  /** Text deleted under change tracking is no longer part of the document. */
  deleted: boolean;
  font: number | null;
  /** How many characters after \u are a fallback for readers without Unicode. */
  fallback: number;
}

interface ReaderState extends RtfDecoding {
  hasBegun: boolean;
  groups: { state: GroupState; after: string }[];
  state: GroupState;
  /** The group was just opened: its first control word may name it. */
  isGroupStart: boolean;
  isStarred: boolean;
  /** How many characters of a fallback are still to be skipped. */
  skip: number;
  fonts: Map<number, RtfFont>;
  created: Map<string, number>;
  /** The form field being read: its type and result (RTF 1.9.1, "Form Fields"). */
  field: Map<string, number>;
  /** Bytes of one font that are not decoded yet: a character may be spread over two tokens. */
  pending: ByteBuffer;
  parts: string[];
  /** Earlier `parts` joined: a million pieces of a letter each would cost 50 bytes a letter. */
  flushed: string;
}

/** Far deeper than any editor nests; each level costs memory. */
const MAX_DEPTH = 2000;

export function createRtfReader(): RtfReader {
  const reader: ReaderState = {
    hasBegun: false,
    groups: [],
    state: { destination: '', mute: false, deleted: false, font: null, fallback: 1 },
    isGroupStart: false,
    isStarred: false,
    skip: 0,
    codePage: 1252,
    decoders: new Map(),
    fonts: new Map(),
    created: new Map(),
    field: new Map(),
    pending: createByteBuffer(),
    parts: [],
    flushed: '',
  };
  return {
    push: (token) => TOKEN_HANDLERS[token.kind](reader, token as never),
    text: () => {
      flush(reader);
      return (reader.flushed + reader.parts.join('')).toWellFormed();
    },
    created: () => formatDay(reader.created),
    isComplete: () => reader.hasBegun && reader.groups.length === 0,
  };
}

const TOKEN_HANDLERS = {
  open(reader: ReaderState): void {
    if (reader.groups.length >= MAX_DEPTH) {
      throw new DocumentError('too_deep', `The RTF is nested deeper than ${MAX_DEPTH} levels.`);
    }
    flush(reader);
    reader.groups.push({ state: reader.state, after: '' });
    reader.hasBegun = true;
    resetGroupStart(reader, true);
  },

  close(reader: ReaderState): void {
    flush(reader);
    const group = reader.groups.pop();
    if (group === undefined) return;
    if (reader.state.destination === 'formfield' && group.state.destination !== 'formfield')
      closeField(reader);
    if (group.after !== '') appendText(reader, group.after);
    reader.state = group.state;
    resetGroupStart(reader, false);
  },

  bytes(reader: ReaderState, { bytes, escaped }: Extract<RtfToken, { kind: 'bytes' }>): void {
    reader.isGroupStart = false;
    const skipped = Math.min(reader.skip, bytes.length);
    reader.skip -= skipped;
    const rest = bytes.subarray(skipped);
    if (rest.length === 0) return;
    if (reader.state.destination === 'fonttbl') nameFont(reader, rest);
    else if (isShown(reader.state)) reader.pending.append(escaped ? rest : stripControls(rest));
  },

  word(reader: ReaderState, { name, value }: Extract<RtfToken, { kind: 'word' }>): void {
    flush(reader);
    if (name === '*' && reader.isGroupStart) {
      reader.isStarred = true;
      return;
    }
    if (reader.isGroupStart) enterDestination(reader, name);
    reader.isGroupStart = false;
    reader.isStarred = false;
    reader.skip = 0;
    const handler = CONTROL_WORDS.get(name);
    const replacement = TEXT_BY_CONTROL_WORD.get(name);
    if (handler) handler(reader, value);
    else if (reader.state.destination === 'formfield') reader.field.set(name, value ?? 0);
    else if (reader.state.destination === 'creatim' && value !== null) reader.created.set(name, value);
    else if (replacement !== undefined && isShown(reader.state)) appendText(reader, replacement);
  },
};

function resetGroupStart(reader: ReaderState, isGroupStart: boolean): void {
  reader.isGroupStart = isGroupStart;
  reader.isStarred = false;
  reader.skip = 0;
}

const isShown = (state: GroupState): boolean => !state.mute && !state.deleted;

/** Handles the first control word of a group. */
function enterDestination(reader: ReaderState, name: string): void {
  const { state, isStarred } = reader;
  const separators = DETACHED_GROUPS.get(name);
  if (MUTED_GROUPS.has(name) || /^m[a-zA-Z]+Pr$/.test(name))
    updateState(reader, { destination: name, mute: true });
  // {\upr{plain text}{\*\ud{the same in Unicode}}}
  else if (name === 'ud' && state.destination === 'upr')
    updateState(reader, { destination: name, mute: !isShownAround(reader, ['upr']) });
  else if (name === 'formfield') updateState(reader, { destination: name });
  else if (isStarred && !STARRED_WITH_TEXT.has(name)) updateState(reader, { destination: name, mute: true });
  else if (separators && isShown(state)) {
    appendText(reader, separators[0]);
    reader.groups.at(-1)!.after = separators[1];
  }
}

/** Says whether text is shown around groups of these destinations. */
function isShownAround({ groups }: ReaderState, destinations: readonly string[]): boolean {
  const outside = groups.findLast(({ state }) => !destinations.includes(state.destination));
  return outside === undefined || isShown(outside.state);
}

function updateState(reader: ReaderState, change: Partial<GroupState>): void {
  reader.state = { ...reader.state, ...change };
}

/** Control words that change how the following text is read. */
const CONTROL_WORDS = new Map<string, (reader: ReaderState, value: number | null) => void>([
  ['ansicpg', (reader, value) => (reader.codePage = value || 1252)],
  ['mac', (reader) => (reader.codePage = 10000)],
  ['pc', (reader) => (reader.codePage = 437)],
  ['pca', (reader) => (reader.codePage = 850)],
  ['deff', (reader, value) => updateState(reader, { font: value })],
  ['uc', (reader, value) => updateState(reader, { fallback: Math.max(0, value ?? 1) })],
  ['deleted', (reader, value) => updateState(reader, { deleted: value !== 0 })],
  [
    'plain',
    (reader) =>
      updateState(reader, { deleted: false, font: reader.groups[1]?.state.font ?? reader.state.font }),
  ],
  [
    'f',
    (reader, value) => {
      if (reader.state.destination === 'fonttbl') startFont(reader, value ?? 0);
      updateState(reader, { font: value });
    },
  ],
  ['fcharset', (reader, value) => describeFont(reader, { charset: value })],
  ['cpg', (reader, value) => describeFont(reader, { codePage: value })],
  [
    'u',
    (reader, value) => {
      if (isShown(reader.state)) appendText(reader, decodeUnicode((value ?? 0) & 0xffff, getFont(reader)));
      reader.skip = reader.state.fallback;
    },
  ],
]);

const CHECK_BOX = 1;
/** The result is the default of the form. */
const DEFAULT_RESULT = 25;

/** Appends whether a box is ticked, which the text does not say. */
function closeField(reader: ReaderState): void {
  const { field } = reader;
  const result = field.get('ffres') ?? DEFAULT_RESULT;
  const isTicked = (result === DEFAULT_RESULT ? field.get('ffdefres') : result) === 1;
  if (field.get('fftype') === CHECK_BOX && isShownAround(reader, ['fldinst', 'formfield']))
    appendText(reader, isTicked ? '☒' : '☐');
  field.clear();
}

const getFont = ({ fonts, state }: ReaderState): RtfFont | undefined =>
  state.font === null ? undefined : fonts.get(state.font);

function startFont({ fonts }: ReaderState, number: number): void {
  fonts.set(number, { name: '', charset: null, codePage: null });
}

function describeFont(reader: ReaderState, change: Partial<RtfFont>): void {
  const font = getFont(reader);
  if (font && reader.state.destination === 'fonttbl') Object.assign(font, change);
}

const MAX_FONT_NAME_LENGTH = 64;

function nameFont(reader: ReaderState, bytes: Buffer): void {
  const font = getFont(reader);
  if (font)
    font.name = (font.name + bytes.toString('latin1', 0, MAX_FONT_NAME_LENGTH))
      .split(';')[0]!
      .slice(0, MAX_FONT_NAME_LENGTH);
}

/** Keeps a raw tab; other control characters mean nothing, and PostgreSQL text holds no NUL. */
function stripControls(bytes: Buffer): Buffer {
  return bytes.some((byte) => byte < 0x20 && byte !== 0x09)
    ? (bytes.filter((byte) => byte >= 0x20 || byte === 0x09) as Buffer)
    : bytes;
}

function appendText(reader: ReaderState, text: string): void {
  if (reader.parts.push(text) < 8192) return;
  reader.flushed += reader.parts.join('');
  reader.parts = [];
}

function flush(reader: ReaderState): void {
  const bytes = reader.pending.drain();
  if (bytes.length > 0) appendText(reader, decodeInFont(bytes, getFont(reader), reader));
}

function formatDay(parts: Map<string, number>): string | null {
  const [year = 0, month = 0, day = 0] = ['yr', 'mo', 'dy'].map((name) => parts.get(name));
  const isDay = year >= 1900 && year <= 9999 && month >= 1 && month <= 12 && day >= 1 && day <= 31;
  return isDay ? [year, String(month).padStart(2, '0'), String(day).padStart(2, '0')].join('-') : null;
}
