import { useState } from 'react';
import type { z } from 'zod';
import type { listConsolePasskeys, removeConsolePasskey } from '../../../../contract/console/passkeys.ts';
import { MAX_PASSKEY_NAME_LENGTH } from '../../../../contract/text-limits.ts';
import { Button } from '../../../kit/button.tsx';
import { Field } from '../../../kit/field.tsx';
import { Form } from '../../../kit/form.tsx';
import { canUsePasskeys, detectDevice, type PasskeyOutcome } from '../../../kit/passkey.ts';
import { Table } from '../../../kit/table.tsx';
import { useConsole } from '../api/use-console.ts';
import { useData, useRefresh } from '../api/use-data.ts';
import { ConfirmDialog } from '../kit/confirm-dialog.tsx';
import { Dialog } from '../kit/dialog.tsx';
import { Section } from '../kit/page.tsx';
import { RelativeTime } from '../kit/relative-time.tsx';
import { SecretDialog } from '../kit/secret-dialog.tsx';
import { States } from '../kit/states.tsx';
import { useToast } from '../kit/toasts.tsx';
import { requireText, useForm } from '../kit/use-form.ts';
import { createPasskey } from '../sign-in/passkey.ts';
import { useSignInWords } from '../words/use-sign-in-words.ts';
import { useProfileWords } from './use-profile-words.ts';

type Passkey = z.infer<(typeof listConsolePasskeys)['response']>['passkeys'][number];

type Step = { at: 'add' } | { at: 'remove'; passkey: Passkey } | { at: 'codes'; codes: readonly string[] };

/** The most that a member may have, as the contract has it, whose values would bring its library along. */
const MAX_PASSKEYS = 20;

/** What the member signs in with instead of password and code. */
export function Passkeys() {
  const words = useProfileWords();
  const [step, setStep] = useState<Step | null>(null);
  const query = useData<typeof listConsolePasskeys>('GET /console/passkeys');
  return (
    <Section title={words.passkeys}>
      <p className="soft">{words.passkeysLead}</p>
      <States query={query}>
        {({ passkeys, possible, hasTotp }) => (
          <div className="stack">
            {passkeys.length === 0 ? (
              <p>{words.noPasskey}</p>
            ) : (
              <PasskeyTable
                passkeys={passkeys}
                isLastFactor={passkeys.length === 1 && !hasTotp}
                onRemove={(passkey) => setStep({ at: 'remove', passkey })}
              />
            )}
            {passkeys.length >= MAX_PASSKEYS ? (
              <p className="soft">{words.tooManyPasskeys}</p>
            ) : possible && canUsePasskeys() ? (
              <div>
                <Button onPress={() => setStep({ at: 'add' })}>{words.addPasskey}</Button>
              </div>
            ) : (
              <p className="soft">{words.passkeysImpossible}</p>
            )}
          </div>
        )}
      </States>
      {step && <StepDialog step={step} onStep={setStep} />}
    </Section>
  );
}

interface PasskeyTableProps {
  passkeys: readonly Passkey[];
  /** There is no other factor, without which the service keeps it. */
  isLastFactor: boolean;
  onRemove: (passkey: Passkey) => void;
}

function PasskeyTable({ passkeys, isLastFactor, onRemove }: PasskeyTableProps) {
  const words = useProfileWords();
  return (
    <Table
      caption={words.passkeys}
      columns={[
        { header: words.name, render: ({ name }) => name },
        { header: words.added, render: ({ createdAt }) => <RelativeTime time={createdAt} /> },
        {
          header: words.lastUsed,
          render: ({ lastUsedAt }) =>
            lastUsedAt === null ? words.neverUsed : <RelativeTime time={lastUsedAt} />,
        },
        {
          header: words.remove,
          render: (passkey) =>
            isLastFactor ? (
              <span className="soft small">{words.lastFactor}</span>
            ) : (
              <Button variant="quiet" onPress={() => onRemove(passkey)}>
                {words.remove}
              </Button>
            ),
        },
      ]}
      rows={passkeys}
      getKey={({ id }) => id}
      empty={null}
    />
  );
}

function StepDialog({ step, onStep }: { step: Step; onStep: (step: Step | null) => void }) {
  const words = useProfileWords();
  const close = () => onStep(null);
  if (step.at === 'remove') return <RemoveDialog passkey={step.passkey} onClose={close} />;
  if (step.at === 'codes')
    return (
      <SecretDialog
        title={words.codesTitle}
        items={[{ label: words.codes, value: step.codes.join('\n') }]}
        onDone={close}
      />
    );
  return (
    <Dialog title={words.addPasskey} onClose={close}>
      <AddForm onAdded={(codes) => onStep(codes && { at: 'codes', codes })} />
    </Dialog>
  );
}

/** Asks for the name first, since the browser's own dialog follows immediately. */
function AddForm({ onAdded }: { onAdded: (codes: readonly string[] | null) => void }) {
  const words = useProfileWords();
  const { passkey } = useSignInWords();
  const { call, reloadSession } = useConsole();
  const refresh = useRefresh();
  const toast = useToast();
  const [outcome, setOutcome] = useState<PasskeyOutcome>('done');
  const { form, field } = useForm({
    validators: { 'passkey-name': requireText(words.passkeyNameMissing) },
    initial: { 'passkey-name': passkey.onThis[detectDevice()] },
    async send(values) {
      const name = values['passkey-name'].trim();
      const created = await createPasskey(call, name);
      setOutcome(created.outcome);
      if (created.outcome !== 'done') return;
      await Promise.all([refresh('GET /console/passkeys'), reloadSession()]);
      toast(words.passkeyAdded(name));
      onAdded(created.recoveryCodes);
    },
    errors: {
      known_passkey: { text: words.outcomes.known },
      too_many_passkeys: { text: words.tooManyPasskeys },
      invalid_passkey: { text: words.outcomes.failed },
    },
  });
  return (
    <>
      <p role="status">{outcome !== 'done' && words.outcomes[outcome]}</p>
      <Form {...form} submit={words.createPasskey}>
        <Field
          {...field('passkey-name')}
          label={words.passkeyName}
          hint={words.passkeyNameHint}
          autoComplete="off"
          maxLength={MAX_PASSKEY_NAME_LENGTH}
        />
      </Form>
    </>
  );
}

function RemoveDialog({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const words = useProfileWords();
  const { call, reloadSession } = useConsole();
  const refresh = useRefresh();
  const toast = useToast();
  const remove = async () => {
    await call<typeof removeConsolePasskey>('POST /console/passkeys/remove', { body: { id: passkey.id } });
    await refresh('GET /console/passkeys', 'GET /console/sessions');
    await reloadSession();
    toast(words.passkeyRemoved(passkey.name));
    onClose();
  };
  return (
    <ConfirmDialog
      title={words.removeTitle(passkey.name)}
      confirm={words.remove}
      danger
      texts={{ last_factor: words.lastFactor }}
      onConfirm={remove}
      onClose={onClose}
    >
      <p>{words.removeText}</p>
    </ConfirmDialog>
  );
}
