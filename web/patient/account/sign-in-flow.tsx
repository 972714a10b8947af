import type { ReactNode } from 'react';
import type { StepNavigation } from '../../kit/navigation.ts';
import type { Step } from '../step.ts';
import { EmailForm } from './email-form.tsx';
import { MailSent } from './mail-sent.tsx';
import { SignIn } from './sign-in.tsx';

interface SignInFlowProps {
  navigation: StepNavigation<Step>;
  /** The request that the mailed link continues. */
  continueWith?: string;
  /** The project that the person comes for, whose organization the mail names. */
  projectId?: string;
  above?: ReactNode;
  lead?: string;
  below?: ReactNode;
  /** Called when somebody has signed in, on this page or in another tab. */
  onSignedIn: () => Promise<void>;
}

/** The screens of signing in; the browser's history holds which of them is shown. */
export function SignInFlow({ navigation, above, lead, below, onSignedIn, ...reason }: SignInFlowProps) {
  const { step, go } = navigation;
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
        />
      );
    default: {
      const email = step?.at === 'sign-in' ? step.email : undefined;
      return <SignIn above={above} lead={lead} below={below} email={email} go={go} onSignedIn={onSignedIn} />;
    }
  }
}
