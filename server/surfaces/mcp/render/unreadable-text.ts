import { escapeInline } from './escape-markdown.ts';

const BINARY = /^link to (Binary\/[A-Za-z0-9.-]{1,64})$/;

/** Says why a text cannot be read here, and which Binary holds it, where that is so: "link to Binary/b1", "PDF, 120 kB". */
export function renderUnreadable(what: string, unreadable: string | null): string {
  const [, binary] = BINARY.exec(unreadable ?? '') ?? [];
  return binary === undefined
    ? `${what} can't be read here (${escapeInline(unreadable ?? 'no content', 120)}).`
    : `${what} is in ${escapeInline(binary, 80)}: get_details reads it where the record has it and it is shared.`;
}
