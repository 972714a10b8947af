import { mentionsFhirJson } from '../../../documents/fhir/mentions-fhir.ts';
import { hasRepeatedMember } from '../store/repeated-members.ts';

/** Where an object begins: in a list, on a line, or behind other words. */
const OBJECT_START = /\{\s{0,1000}["}]/;
const JSON_START = /^\s{0,100}[[{]/;
const LEFT_OVER = /^\s{0,100}\[?\s{0,100}\{\s{0,100}"/;

/**
 * Calls back with each JSON value that a text is or holds, so that its codes and resources count: one value, a line for each
 * resource, one behind the other, with words around them. Returns false where something of it could not be parsed, or is
 * not in the value: the first of two members of one name.
 */
export function readJson(text: string, onValue: (value: object) => void): boolean {
  const isJson = JSON_START.test(text);
  if (!isJson && !text.includes('resourceType')) return true;
  const whole = isJson ? parse(text) : null;
  if (whole !== null) {
    onValue(whole);
    return !hasRepeatedMember(text, whole);
  }
  let isRead = true;
  const rest: string[] = [];
  let from = 0;
  for (const { start, end } of listObjects(text)) {
    const json = text.slice(start, end);
    const value = parse(json);
    if (value === null) continue;
    onValue(value);
    isRead &&= !hasRepeatedMember(json, value);
    rest.push(text.slice(from, start));
    from = end;
  }
  const left = [...rest, text.slice(from)].join(' ');
  return isRead && !LEFT_OVER.test(left) && !mentionsFhirJson(left);
}

function parse(text: string): object | null {
  try {
    return JSON.parse(text) as object | null;
  } catch {
    return null;
  }
}

/** Lists what begins as an object and is closed, each up to the bracket that closes it. */
function* listObjects(text: string): Generator<{ start: number; end: number }> {
  const starts = new RegExp(OBJECT_START, 'g');
  for (let found = starts.exec(text); found !== null; found = starts.exec(text)) {
    const end = findEnd(text, found.index);
    if (end === null) return;
    yield { start: found.index, end };
    starts.lastIndex = end;
  }
}

function findEnd(text: string, start: number): number | null {
  const marks = /["{}]/g;
  marks.lastIndex = start;
  let depth = 0;
  for (let mark = marks.exec(text); mark !== null; mark = marks.exec(text)) {
    if (mark[0] === '"') marks.lastIndex = skipString(text, mark.index);
    else depth += mark[0] === '{' ? 1 : -1;
    if (depth === 0) return marks.lastIndex;
  }
  return null;
}

/** Returns the position behind the closing quote, or the end of the text. */
function skipString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return Math.min(at + 1, text.length);
}
