import { useConsole } from '../api/use-console.ts';
import { Section } from '../kit/page.tsx';
import { startOidcJoin } from '../sign-in/oidc.ts';
import { OidcButton } from '../sign-in/oidc-button.tsx';
import { useProfileWords } from './use-profile-words.ts';

/** The login at the identity provider of the organization, where there is one. */
export function Identity() {
  const words = useProfileWords();
  const { oidc, member, call } = useConsole();
  if (oidc === null) return null;
  return (
    <Section title={words.identity}>
      <p className="soft">{member.isJoined ? words.isJoined(oidc.host) : words.identityLead(oidc.host)}</p>
      {!member.isJoined && <OidcButton label={words.joinIdentity} start={() => startOidcJoin(call)} />}
    </Section>
  );
}
