import { formatPersonName } from '../../../../contract/account/person-name.ts';

/** Returns what a receipt calls a representative, whose authority stands beside the name and is no part of it. */
export function formatSigner(partyName: string): string {
  const [, name = partyName, authority = ''] = /^(.*)( \([a-z-]+\))$/s.exec(partyName) ?? [];
  return formatPersonName(name) + authority;
}
