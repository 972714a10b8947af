import { MAX_CODE_LENGTH } from '../../../../contract/text-limits.ts';
import { Field } from '../../../kit/field.tsx';
import { Form } from '../../../kit/form.tsx';
import { QrCode } from '../../../kit/qr-code.tsx';
import { CopyButton } from '../kit/copy-button.tsx';
import { requireText, useForm } from '../kit/use-form.ts';
import { useSignInWords } from '../words/use-sign-in-words.ts';

export interface TotpSecret {
  secret: string;
  uri: string;
}

interface TotpFormProps {
  secret: TotpSecret;
  /** Sends the first code of the app. */
  activate: (code: string) => Promise<void>;
}

/** Four characters a group, as people read keys aloud. */
const group = (secret: string): string => secret.replace(/(.{4})(?=.)/g, '$1 ');

/** Hands the secret to an authenticator app, and puts it into force by its first code. */
export function TotpForm({ secret, activate }: TotpFormProps) {
  const { setup, wrongCode } = useSignInWords();
  const { form, field } = useForm({
    validators: { code: requireText(setup.codeMissing) },
    send: ({ code }) => activate(code.replace(/\s/g, '')),
    errors: {
      wrong_code: { field: 'code', text: wrongCode },
      invalid_input: { field: 'code', text: setup.codeMissing },
    },
  });
  return (
    <>
      <ol className="entry-steps">
        {setup.steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <QrCode text={secret.uri} label={setup.qrCode} />
      <div className="stack">
        <p className="small">{setup.cannotScan}</p>
        <p className="id">
          <code>{group(secret.secret)}</code>
          <CopyButton compact text={secret.secret} subject={setup.key} />
        </p>
      </div>
      <Form {...form} submit={setup.activate}>
        <Field
          {...field('code')}
          label={setup.codeMissing}
          autoComplete="one-time-code"
          maxLength={MAX_CODE_LENGTH}
        />
      </Form>
    </>
  );
}
