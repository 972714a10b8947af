import { useEffect, useRef, useState } from 'react';
import { Button } from '../../../../look/button.tsx';
import { Field } from '../../../../look/field.tsx';
import { Form, type Fault } from '../../../../look/form.tsx';
import { Refusal, troubleOf } from '../../api/refusal.ts';
import { makePasskey, type PasskeyOutcome } from '../../account/passkey.ts';
import { usePage } from '../../page.ts';
import type { Words } from '../../words/en.ts';
import { failureText } from '../../words/failure.ts';
import { type Language, useLanguage } from '../../words/language.tsx';
import { useAsMe, type Mine } from '../use-mine.ts';
import { deviceKind } from './device.ts';

interface AddPasskeyProps {
  mine: Mine;
  onAdded: (name: string) => Promise<void>;
}

/** The name first, since the browser's own window comes right after it. */
export function AddPasskey({ mine, onAdded }: AddPasskeyProps) {
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
  const added = async (name: string) => {
    wasOpen.current = false;
    setOpen(false);
    await onAdded(name);
  };
  if (open) return <Naming mine={mine} onAdded={added} onLeave={() => setOpen(false)} />;
  return (
    <div>
      <Button ref={button} look="strong" onPress={() => setOpen(true)}>
        {passkeys.add}
      </Button>
    </div>
  );
}

type Failed = Exclude<PasskeyOutcome, 'done'> | 'nameless' | { error: unknown };

function useMaking({ mine, onAdded }: AddPasskeyProps, name: string) {
  const { api } = usePage();
  const asMe = useAsMe(mine);
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState<Failed | null>(null);
  const [attempt, setAttempt] = useState(0);
  const make = async () => {
    const tried: PasskeyOutcome[] = [];
    await asMe(async () => tried.push(await makePasskey(api, name)));
    const [outcome] = tried;
    if (outcome === 'done') await onAdded(name);
    else if (outcome !== undefined) setFailed(outcome);
  };
  const submit = () => {
    setAttempt(attempt + 1);
    setFailed(name === '' ? 'nameless' : null);
    if (name === '') return;
    setBusy(true);
    void make()
      .catch((error: unknown) => setFailed({ error }))
      .finally(() => setBusy(false));
  };
  return { busy, failed, attempt, submit };
}

function Naming(props: AddPasskeyProps & { onLeave: () => void }) {
  const { words, language } = useLanguage();
  const { passkeys } = words.myData;
  const [name, setName] = useState(() => passkeys.onThis(passkeys.devices[deviceKind()]));
  const { busy, failed, attempt, submit } = useMaking(props, name.trim());
  const faults = failed === null ? [] : [faultOf(failed, words, language)];
  return (
    <div className="add-passkey">
      <Form
        faults={faults}
        faultsTitle={words.common.problem}
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
          error={failed === 'nameless' ? passkeys.nameMissing : undefined}
          autoComplete="off"
          value={name}
          onChange={setName}
        />
      </Form>
      <Button onPress={() => busy || props.onLeave()}>{passkeys.notNow}</Button>
    </div>
  );
}

function faultOf(failed: Failed, words: Words, language: Language): Fault {
  const { passkeys } = words.myData;
  if (failed === 'nameless') return { field: 'passkey-name', text: passkeys.nameMissing };
  if (typeof failed === 'string') return { text: passkeys[failed] };
  const { error } = failed;
  if (error instanceof Refusal && error.code === 'sign_in_again') return { text: passkeys.signInAgain };
  const trouble = troubleOf(error);
  if (trouble.kind === 'decided') return { text: passkeys.known };
  return { text: trouble.kind === 'invalid' ? passkeys.failed : failureText(trouble, words, language) };
}
