import type { ReactNode } from 'react';
import type { StepNavigation } from '../../kit/navigation.ts';
import type { Step } from '../step.ts';
import { EmailForm } from './email-form.tsx';
import { MailSent } from './mail-sent.tsx';
import { SignIn } from './sign-in.tsx';

/** What is said to somebody who is to sign in to an account that they have, and to whom no other is offered. */
export interface OwnAccountWords {
  /** What choosing a new password costs. */
  forgotten: string;
  /** What to do once it is chosen, as the last of the steps. */
  afterReset: string;
}

interface SignInFlowProps {
  navigation: StepNavigation<Step>;
  /** The request that the mailed link continues. */
  continueWith?: string;
  /** The project that the person comes for, whose organization the mail names. */
  projectId?: string;
  above?: ReactNode;
  lead?: string;
  below?: ReactNode;
  toOwnAccount?: OwnAccountWords;
  /** Called when somebody has signed in, on this page or in another tab. */
  onSignedIn: () => Promise<void>;
}

/** The screens of signing in; the browser's history holds which of them is shown. */
export function SignInFlow({ navigation, onSignedIn, toOwnAccount, ...reason }: SignInFlowProps) {
  const { step, go } = navigation;
  const { above, lead, below } = reason;
  const continued = { continueWith: reason.continueWith, projectId: reason.projectId };
  switch (step?.at) {
    case 'sign-up':
    case 'forgotten-password':
      return (
        <EmailForm
          key={step.at}
          to={step.at}
          email={step.email}
          continued={continued}
          navigation={navigation}
          {...(toOwnAccount && { lead: toOwnAccount.forgotten })}
        />
      );
    case 'mail-sent':
      return (
        <MailSent
          email={step.email}
          to={step.to}
          continued={continued}
          navigation={navigation}
          onSignedIn={onSignedIn}
          {...(toOwnAccount && { lastStep: toOwnAccount.afterReset })}
        />
      );
    default: {
      const email = step?.at === 'sign-in' ? step.email : undefined;
      return (
        <SignIn
          above={above}
          lead={lead}
          below={below}
          email={email}
          canSignUp={toOwnAccount === undefined}
          go={go}
          onSignedIn={onSignedIn}
        />
      );
    }
  }
}
