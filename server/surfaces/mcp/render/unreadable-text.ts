import { escapeInline } from './escape-markdown.ts';

const BINARY = /^link to (Binary\/[A-Za-z0-9.-]+)$/;

/** Says where the text of a note is that has none, or why it cannot be read: "in Binary/b1: get_details", "PDF, 120 kB". */
export const formatUnreadable = (unreadable: string | null, maxLength: number): string =>
  escapeInline(unreadable?.replace(BINARY, 'in $1: get_details') ?? null, maxLength);

/** The same as a sentence. */
export function renderUnreadable(what: string, unreadable: string | null): string {
  const [, binary] = BINARY.exec(unreadable ?? '') ?? [];
  return binary === undefined
    ? `${what} can't be read here (${escapeInline(unreadable ?? 'no content', 120)}).`
    : `${what} is in ${escapeInline(binary, 80)}, which get_details reads.`;
}
