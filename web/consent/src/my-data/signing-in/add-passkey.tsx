import { useEffect, useRef, useState } from 'react';
import { Button } from '../../../../kit/button.tsx';
import { Field } from '../../../../kit/field.tsx';
import { Form, type FormError } from '../../../../kit/form.tsx';
import { Refusal, toFailure } from '../../api/refusal.ts';
import { createPasskey, type PasskeyOutcome } from '../../account/passkey.ts';
import { useAppDeps } from '../../app-deps.ts';
import type { Words } from '../../words/en.ts';
import { formatFailure } from '../../words/format-failure.ts';
import { type Language, useLanguage } from '../../words/language.tsx';
import { useGuardedAction, type PersonProps } from '../use-query.ts';
import { detectDevice } from './detect-device.ts';

interface AddPasskeyProps {
  personProps: PersonProps;
  onAdded: (name: string) => Promise<void>;
}

/** The name first, since the browser's own window comes right after it. */
export function AddPasskey({ personProps, onAdded }: AddPasskeyProps) {
  const { words } = useLanguage();
  const { passkeys } = words.myData;
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(false);
  useEffect(() => {
    if (wasOpen.current && !open) button.current?.focus();
    if (!wasOpen.current && open) document.getElementById('passkey-name')?.focus();
    wasOpen.current = open;
  }, [open]);
  const handleAdded = async (name: string) => {
    wasOpen.current = false;
    setOpen(false);
    await onAdded(name);
  };
  if (open)
    return <PasskeyForm personProps={personProps} onAdded={handleAdded} onCancel={() => setOpen(false)} />;
  return (
    <div>
      <Button ref={button} variant="strong" onPress={() => setOpen(true)}>
        {passkeys.add}
      </Button>
    </div>
  );
}

type PasskeyFailure = Exclude<PasskeyOutcome, 'done'> | 'nameless' | { error: unknown };

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
      .catch((error: unknown) => setPasskeyFailure({ error }))
      .finally(() => setBusy(false));
  };
  return { busy, failed: passkeyFailure, attempt, submit };
}

function PasskeyForm(props: AddPasskeyProps & { onCancel: () => void }) {
  const { words, language } = useLanguage();
  const { passkeys } = words.myData;
  const [name, setName] = useState(() => passkeys.onThis(passkeys.devices[detectDevice()]));
  const { busy, failed: passkeyFailure, attempt, submit } = useCreatePasskey(props, name.trim());
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
  const { error } = passkeyFailure;
  if (error instanceof Refusal && error.code === 'sign_in_again') return { text: passkeys.signInAgain };
  const failure = toFailure(error);
  if (failure.kind === 'decided') return { text: passkeys.known };
  return { text: failure.kind === 'invalid' ? passkeys.failed : formatFailure(failure, words, language) };
}
