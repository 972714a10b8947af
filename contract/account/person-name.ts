import { isolateRightToLeft } from './client-name.ts';

/**
 * Returns the name of a person without what would reach beyond it: line breaks and other control characters, characters that turn
 * or isolate the direction of what follows, and marks that cover the lines around it. Joiners and direction marks are parts of
 * names in some scripts.
 */
export const toPlainPersonName = (name: string): string =>
  name
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/[\u202a-\u202e\u2066-\u2069]/g, '')
    .replace(/(\p{M}{3})\p{M}+/gu, '$1')
    .trim();

/** Returns a name as it may stand in a sentence; what is stored may be older than the rule for new ones. */
export const formatPersonName = (name: string): string => isolateRightToLeft(toPlainPersonName(name));

/** Returns first and last name together as they may stand in a sentence. */
export const formatFullName = ({ firstName, lastName }: { firstName: string; lastName: string }): string =>
  formatPersonName(`${toPlainPersonName(firstName)} ${toPlainPersonName(lastName)}`);
