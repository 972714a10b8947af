import { useConsole } from '../api/use-console.ts';
import { useWords } from '../words/use-words.ts';
import { Blank } from './blank.tsx';

/** What a role does not include, and whom to ask. */
export function NoPermission() {
  const { states, roles } = useWords();
  const { member, organization } = useConsole();
  return (
    <Blank
      isAlert
      title={states.noPermissionTitle}
      text={`${states.noPermission(roles[member.role])} ${states.askAnyOwner(organization.name)}`}
    />
  );
}
