import { useTeamWords } from './use-team-words.ts';

/** The texts for the codes of refusals on members. */
export function useTeamErrors(): Record<string, string> {
  const { errors } = useTeamWords();
  return {
    oidc_only: errors.onlyThere,
    owner_required: errors.ownerRequired,
    last_owner: errors.lastOwner,
    member_exists: errors.memberExists,
    too_many_members: errors.tooMany,
    too_many_mails: errors.tooManyMails,
  };
}
