/** Of an invitation that a member sends to themselves. */
export const ownInvitation = {
  hint: 'Want to see the mail first? You are enrolled yourself then; end that on your page when you have seen it.',
  send: (email: string) => `Send one to ${email}`,
  sent: (email: string) => `An invitation is on its way to ${email}.`,
};

export type OwnInvitationWords = typeof ownInvitation;
