import type { OwnInvitationWords } from '../en/own-invitation.ts';

export const ownInvitation: OwnInvitationWords = {
  hint: '¿Quiere ver antes el correo? Usted queda inscrito; ponga fin a eso en su página cuando lo haya visto.',
  send: (email) => `Enviar una a ${email}`,
  sent: (email) => `Una invitación está en camino a ${email}.`,
};
