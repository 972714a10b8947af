import type { CDPSession, Page } from 'playwright-core';

/** A phone that knows its owner by a finger; it answers, or the person cancels. */
export async function addVirtualAuthenticator(tab: Page) {
  const session: CDPSession = await tab.context().newCDPSession(tab);
  await session.send('WebAuthn.enable');
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
    },
  });
  return {
    keys: async () => (await session.send('WebAuthn.getCredentials', { authenticatorId })).credentials.length,
    refuse: async (refused: boolean) =>
      session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: !refused }),
  };
}
