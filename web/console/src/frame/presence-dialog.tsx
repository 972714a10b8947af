import { useState } from 'react';
import type { confirmPresence, PresenceProof } from '../../../../contract/console/console.ts';
import { MAX_CODE_LENGTH, MAX_GIVEN_PASSWORD_LENGTH } from '../../../../contract/text-limits.ts';
import { Button } from '../../../kit/button.tsx';
import { Field } from '../../../kit/field.tsx';
import { Form } from '../../../kit/form.tsx';
import { useConsole } from '../api/use-console.ts';
import { Dialog } from '../kit/dialog.tsx';
import { requireText, skipValidation, useForm } from '../kit/use-form.ts';
import { confirmByPasskey } from '../sign-in/passkey.ts';
import { PasskeyButton } from '../sign-in/passkey-button.tsx';
import { startOidcConfirmation } from '../sign-in/oidc.ts';
import { OidcButton } from '../sign-in/oidc-button.tsx';
import { useSignInWords } from '../words/use-sign-in-words.ts';
import { useWords } from '../words/use-words.ts';

interface PresenceDialogProps {
  onAnswer: (done: boolean) => void;
}

/** Asks for a proof of presence before what shows a secret or changes what others rely on. */
export function PresenceDialog({ onAnswer }: PresenceDialogProps) {
  const { confirm } = useWords();
  const { member, oidc } = useConsole();
  return (
    <Dialog title={confirm.title} onClose={() => onAnswer(false)}>
      <p>{confirm.lead}</p>
      {oidc !== null && member.isJoined ? <ProviderProof /> : <OwnProofs onAnswer={onAnswer} />}
    </Dialog>
  );
}

/** Whom the identity provider lets in proves it there alone. */
function ProviderProof() {
  const { plainCall } = useConsole();
  const { oidc } = useSignInWords();
  return (
    <>
      <OidcButton label={oidc.confirm} variant="strong" start={() => startOidcConfirmation(plainCall)} />
      <p className="soft small">{oidc.confirmHint}</p>
    </>
  );
}

/** What the member has of a passkey, a code and the password. */
function OwnProofs({ onAnswer }: PresenceDialogProps) {
  const { confirm } = useWords();
  const { plainCall, member } = useConsole();
  // A node of the version before does not say: then everything is offered.
  const has = (proof: PresenceProof) => member.proofs.length === 0 || member.proofs.includes(proof);
  const [byPassword, setByPassword] = useState(!has('code'));
  return (
    <>
      <TypedProof key={String(byPassword)} byPassword={byPassword} onAnswer={onAnswer} />
      {has('passkey') && (
        <PasskeyButton
          label={confirm.withPasskey}
          use={() => confirmByPasskey(plainCall)}
          onDone={() => onAnswer(true)}
        />
      )}
      {has('code') && (
        <Button variant="quiet" onPress={() => setByPassword(!byPassword)}>
          {byPassword ? confirm.withCode : confirm.withPassword}
        </Button>
      )}
    </>
  );
}

function TypedProof({ byPassword, onAnswer }: PresenceDialogProps & { byPassword: boolean }) {
  const { confirm, common } = useWords();
  const { plainCall } = useConsole();
  const { form, field } = useForm({
    validators: {
      'presence-code': byPassword ? skipValidation : requireText(confirm.codeHint),
      'presence-password': byPassword ? requireText(confirm.wrongPassword) : skipValidation,
    },
    async send(values) {
      const body = byPassword
        ? { password: values['presence-password'] }
        : { code: values['presence-code'].trim() };
      await plainCall<typeof confirmPresence>('POST /console/confirm', { body });
      onAnswer(true);
    },
    errors: {
      invalid_credentials: byPassword
        ? { field: 'presence-password', text: confirm.wrongPassword }
        : { field: 'presence-code', text: confirm.wrongCode },
      invalid_input: { field: 'presence-code', text: confirm.wrongCode },
    },
  });
  return (
    <Form {...form} submit={confirm.submit}>
      {byPassword ? (
        <Field
          {...field('presence-password')}
          label={confirm.password}
          type="password"
          autoComplete="current-password"
          maxLength={MAX_GIVEN_PASSWORD_LENGTH}
          reveal={common.reveal}
        />
      ) : (
        <Field
          {...field('presence-code')}
          label={confirm.code}
          hint={confirm.codeHint}
          autoComplete="one-time-code"
          maxLength={MAX_CODE_LENGTH}
        />
      )}
    </Form>
  );
}
