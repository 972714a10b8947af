import { formatPersonName } from '../../../../contract/account/person-name.ts';
import type { Words } from '../words/en.ts';

/**
 * Says who signed as a representative. What is signed has their authority behind the name, as the code of it; here it is what they
 * chose on the review, in the language of the page.
 */
export function formatSigner(partyName: string, { authorities, myData }: Words): string {
  const { signedAs, signedBy } = myData.receipts.page;
  const [, name = '', code = ''] = /^(.*) \(([a-z-]+)\)$/s.exec(partyName) ?? [];
  const authority = new Map(Object.entries(authorities)).get(code);
  return authority === undefined
    ? signedBy(formatPersonName(partyName))
    : signedAs(formatPersonName(name), authority);
}
