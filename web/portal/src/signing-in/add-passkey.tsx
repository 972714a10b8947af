import { useState } from 'react';
import { MAX_PASSKEY_NAME_LENGTH } from '../../../../contract/text-limits.ts';
import { Button } from '../../../kit/button.tsx';
import { Field } from '../../../kit/field.tsx';
import { Form, type FormError } from '../../../kit/form.tsx';
import { type Refusal, toRefusal } from '../../../kit/http/refusal.ts';
import { toFailure } from '../../../patient/failure.ts';
import {
  detectDevice,
  loadWebAuthn,
  type PasskeyOutcome,
  toPasskeyOutcome,
  type WebAuthnOptions,
} from '../../../kit/passkey.ts';
import type { PortalApi } from '../api.ts';
import { useAppDeps } from '../app-deps.ts';
import type { Words } from '../words/en.ts';
import { formatFailure } from '../../../patient/format-failure.ts';
import type { Language } from '../../../kit/languages.ts';
import { useLanguage } from '../words/use-words.ts';
import { useGuardedAction, type PersonProps } from '../person-query.ts';
import { useFormOpener } from './use-form-opener.ts';

interface AddPasskeyProps {
  personProps: PersonProps;
  onAdded: (name: string) => Promise<void>;
}

/** Asks for the name first, since the browser's own dialog follows immediately. */
export function AddPasskey({ personProps, onAdded }: AddPasskeyProps) {
  const { words } = useLanguage();
  const { passkeys } = words.myData;
  const { isOpen, button, open, close, leave } = useFormOpener('passkey-name');
  const handleAdded = async (name: string) => {
    leave();
    await onAdded(name);
  };
  if (isOpen) return <PasskeyForm personProps={personProps} onAdded={handleAdded} onCancel={close} />;
  return (
    <div>
      <Button ref={button} variant="strong" onPress={open}>
        {passkeys.add}
      </Button>
    </div>
  );
}

type PasskeyFailure = Exclude<PasskeyOutcome, 'done'> | 'nameless' | { refusal: Refusal };

function useCreatePasskey({ personProps, onAdded }: AddPasskeyProps, name: string) {
  const { api } = useAppDeps();
  const runGuarded = useGuardedAction(personProps);
  const [busy, setBusy] = useState(false);
  const [passkeyFailure, setPasskeyFailure] = useState<PasskeyFailure | null>(null);
  const [attempt, setAttempt] = useState(0);
  const create = async () => {
    const outcomes: PasskeyOutcome[] = [];
    await runGuarded(async () => outcomes.push(await createPasskey(api, name)));
    const [outcome] = outcomes;
    if (outcome === 'done') await onAdded(name);
    else if (outcome !== undefined) setPasskeyFailure(outcome);
  };
  const submit = () => {
    setAttempt(attempt + 1);
    setPasskeyFailure(name === '' ? 'nameless' : null);
    if (name === '') return;
    setBusy(true);
    void create()
      .catch((error: unknown) => setPasskeyFailure({ refusal: toRefusal(error) }))
      .finally(() => setBusy(false));
  };
  return { busy, passkeyFailure, attempt, submit };
}

function PasskeyForm(props: AddPasskeyProps & { onCancel: () => void }) {
  const { words, language } = useLanguage();
  const { passkeys } = words.myData;
  const [name, setName] = useState(() => passkeys.onThis(passkeys.devices[detectDevice()]));
  const { busy, passkeyFailure, attempt, submit } = useCreatePasskey(props, name.trim());
  const errors = passkeyFailure === null ? [] : [toFormError(passkeyFailure, words, language)];
  return (
    <div className="add-passkey">
      <Form
        errors={errors}
        errorsTitle={words.common.problem}
        attempt={attempt}
        submit={passkeys.create}
        busy={busy}
        busyText={words.common.oneMoment}
        onSubmit={submit}
      >
        <Field
          name="passkey-name"
          label={passkeys.name}
          hint={passkeys.nameHint}
          error={passkeyFailure === 'nameless' ? passkeys.nameMissing : undefined}
          autoComplete="off"
          maxLength={MAX_PASSKEY_NAME_LENGTH}
          value={name}
          onChange={setName}
        />
      </Form>
      <Button onPress={() => busy || props.onCancel()}>{passkeys.notNow}</Button>
    </div>
  );
}

function toFormError(passkeyFailure: PasskeyFailure, words: Words, language: Language): FormError {
  const { passkeys } = words.myData;
  if (passkeyFailure === 'nameless') return { field: 'passkey-name', text: passkeys.nameMissing };
  if (typeof passkeyFailure === 'string') return { text: passkeys[passkeyFailure] };
  const { refusal } = passkeyFailure;
  if (refusal.code === 'sign_in_again') return { text: passkeys.signInAgain };
  const failure = toFailure(refusal);
  if (failure.kind === 'decided') return { text: passkeys.known };
  const isOfDevice = failure.kind === 'invalid' && !refusal.errors.some(({ path }) => path === 'name');
  return { text: isOfDevice ? passkeys.failed : formatFailure(failure, words, language) };
}

/** Lets the browser create a passkey and registers it with the service; throws a refusal of the service. */
async function createPasskey(api: PortalApi, name: string): Promise<PasskeyOutcome> {
  const { options } = await api.beginPasskey();
  try {
    const { startRegistration } = await loadWebAuthn();
    const response = await startRegistration({
      optionsJSON: options as unknown as WebAuthnOptions<'startRegistration'>,
    });
    await api.addPasskey({ name, response: { ...response } });
    return 'done';
  } catch (error) {
    return toPasskeyOutcome(error);
  }
}
