import type { z } from 'zod';
import type { Person } from '../../contract/account/account.ts';

/** What names an account, by its id or its address. */
type AccountName = Pick<z.infer<typeof Person>, 'id' | 'email'>;

/**
 * Returns what names an account: its id, since its address can change. A node of the version before names none, so that the
 * address does.
 */
export const getPersonKey = ({ id, email }: AccountName): string => (id === '' ? email : id);

/** True for one account, whatever its address is by now. */
export const isSamePerson = (one: AccountName, other: AccountName): boolean =>
  one.id === '' || other.id === '' ? one.email === other.email : one.id === other.id;

/** Says in a request whom the page showed: by the id, and by the address for a node of the version before. */
export const confirmPerson = ({
  id,
  email,
}: AccountName): { confirmedAs: string; personId?: AccountName['id'] } => ({
  confirmedAs: email,
  ...(id !== '' && { personId: id }),
});
