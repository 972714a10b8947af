import * as contract from '../../../contract/passkeys.ts';
import type { LoginThrottle } from '../../auth/login-throttle.ts';
import { demandSignedIn, type WhoIs } from '../../http/demand-signed-in.ts';
import { serve, type Routes } from '../../http/serve.ts';
import { notFound } from '../../kernel/refusal.ts';
import { maybeOne } from '../../storage/db.ts';
import { accountLimits } from '../limits.ts';
import type { SignedIn } from '../session.ts';
import { addPasskey, beginPasskey, type PasskeyDeps } from './add-passkey.ts';
import * as statements from './passkeys.sql.ts';
import { relyingParty } from './relying-party.ts';
import { beginPasskeySignIn, signInByPasskey } from './sign-in-by-passkey.ts';

interface Deps extends Omit<PasskeyDeps, 'party'> {
  throttle: LoginThrottle;
  baseUrl: string;
  consentAppUrl: string;
  signedIn: WhoIs<SignedIn>;
}

export function passkeyRoutes(routes: Routes, given: Deps): void {
  const deps = { ...given, party: relyingParty(given) };
  const limits = accountLimits(deps.db);

  serve(routes, contract.listPasskeys, async ({ visitor }) => {
    const { patientId } = await demandSignedIn(deps.signedIn, visitor);
    const rows = await deps.db.query(statements.passkeysOf(patientId));
    return { passkeys: rows.map(listed), possible: deps.party !== null };
  });
  serve(routes, contract.beginPasskey, async ({ visitor }) => {
    const person = await demandSignedIn(deps.signedIn, visitor);
    return { options: await beginPasskey(deps, { person, browser: visitor.browser }) };
  });
  serve(routes, contract.addPasskey, async ({ visitor, body }) => {
    const person = await demandSignedIn(deps.signedIn, visitor);
    return { id: await addPasskey(deps, { person, browser: visitor.browser }, body) };
  });
  serve(routes, contract.removePasskey, async ({ visitor, body: { id } }) => {
    const { patientId } = await demandSignedIn(deps.signedIn, visitor);
    await deps.db.tx(async (tx) => {
      const removed = await maybeOne(tx, statements.deletePasskey(patientId, id));
      if (!removed) throw notFound('The passkey');
      await tx.query(statements.deleteRoute(removed.credential_id));
    });
    return undefined;
  });
  serve(routes, contract.beginPasskeySignIn, async ({ visitor, address }) => {
    await limits.countChallenge(address);
    return { options: await beginPasskeySignIn(deps, visitor.browser) };
  });
  serve(routes, contract.signInByPasskey, async ({ visitor, address, body: { response } }) => {
    const { browser } = visitor;
    const { person, session } = await signInByPasskey(deps, {
      response,
      browser,
      address,
      session: visitor.session,
    });
    visitor.setSession(session);
    return { person };
  });
}

const listed = ({ passkey_id, name, created_at, last_used_at }: statements.PasskeyRow) => ({
  id: passkey_id,
  name,
  createdAt: created_at.toISOString(),
  lastUsedAt: last_used_at?.toISOString() ?? null,
});
