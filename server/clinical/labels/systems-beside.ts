import { toCodeSystem } from '../../../documents/ccda/code-systems.ts';
import { normalizeCodeSystem } from '../entries/codeable-concept.ts';

/** Characters before and behind a code in which the tag or the object that it stands in is read. */
const REACH = 400;

const IN_TAG = /\scode\s?=\s?["']$/;
const SYSTEM_IN_TAG = /\scodeSystem\s?=\s?["']([^"']{1,100})["']/;
const IN_OBJECT = /"code"\s{0,9}:\s{0,9}"$/;
const SYSTEM_IN_OBJECT = /"system"\s{0,9}:\s{0,9}"([^"\\]{1,200})"/;

/**
 * Returns the code system that a text names beside a code: in the same tag of CDA (`codeSystem`), or in the same object of JSON
 * (`system`), which the codes of an attached C-CDA are read as too. Null where it names none.
 */
export function findSystemBeside(
  text: string,
  { start, end }: { start: number; end: number },
): string | null {
  const before = text.slice(Math.max(0, start - REACH), start);
  const behind = text.slice(end, end + REACH);
  if (behind[0] !== '"' && behind[0] !== "'") return null;
  if (IN_TAG.test(before.slice(-20))) {
    const tag = [before.slice(before.lastIndexOf('<') + 1), upTo(behind, />/)];
    return normalizeCodeSystem(toCodeSystem(findIn(tag, SYSTEM_IN_TAG)));
  }
  if (!IN_OBJECT.test(before.slice(-30))) return null;
  const object = [
    before.slice(Math.max(before.lastIndexOf('{'), before.lastIndexOf('}')) + 1),
    upTo(behind, /[{}]/),
  ];
  return normalizeCodeSystem(findIn(object, SYSTEM_IN_OBJECT));
}

const upTo = (text: string, end: RegExp): string => text.slice(0, Math.max(0, text.search(end)));

const findIn = (parts: readonly string[], pattern: RegExp): string | undefined =>
  parts.map((part) => pattern.exec(part)?.[1]).find((system) => system !== undefined);
