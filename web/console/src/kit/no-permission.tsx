import type { getOrganization } from '../../../../contract/organization/organization.ts';
import { useConsole } from '../api/use-console.ts';
import { useData } from '../api/use-data.ts';
import { useWords } from '../words/use-words.ts';
import { Blank } from './blank.tsx';

/** What a role does not include, and whom to ask; the title of a page says the former by itself. */
export function NoPermission({ isPage = false }: { isPage?: boolean }) {
  const { states, roles } = useWords();
  const { member, organization } = useConsole();
  const { data } = useData<typeof getOrganization>('GET /v1/organizations/{orgId}');
  const owners = data?.owners ?? [];
  const ask =
    owners.length === 0 ? states.askAnyOwner(organization.name) : states.askOwner(owners.join(', '));
  return (
    <Blank
      isAlert
      {...(!isPage && { title: states.noPermissionTitle })}
      text={`${states.noPermission(roles[member.role])} ${ask}`}
    />
  );
}
