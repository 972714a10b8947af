import type { ReactNode } from 'react';
import type { Address } from '../address.ts';
import { AskMail } from './ask-mail.tsx';
import { MailSent } from './mail-sent.tsx';
import { SignIn } from './sign-in.tsx';

interface SigningProps {
  address: Address;
  /** The request that the mailed link goes on with. */
  continueWith?: string;
  above?: ReactNode;
  lead?: string;
  below?: ReactNode;
  /** Somebody is signed in now, by this page or by another tab. */
  onSignedIn: () => Promise<void>;
}

/** The ways to become signed in; which of them is shown stands in the browser's history. */
export function Signing({ address, continueWith, above, lead, below, onSignedIn }: SigningProps) {
  const { step, go, back } = address;
  switch (step?.at) {
    case 'sign-up':
    case 'forgotten-password':
      return <AskMail key={step.at} to={step.at} continueWith={continueWith} address={address} />;
    case 'mail-sent':
      return <MailSent email={step.email} back={back} onSignedIn={onSignedIn} />;
    default:
      return <SignIn above={above} lead={lead} below={below} go={go} onSignedIn={onSignedIn} />;
  }
}
