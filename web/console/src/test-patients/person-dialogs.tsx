import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type {
  deleteTestPatient,
  renewTestPatientPassword,
} from '../../../../contract/organization/test-patients.ts';
import { formatFullName, toPlainPersonName } from '../../../../contract/account/person-name.ts';
import { useConsole } from '../api/use-console.ts';
import { useRefresh } from '../api/use-data.ts';
import { ConfirmDialog } from '../kit/confirm-dialog.tsx';
import { useToast } from '../kit/toasts.tsx';
import { PasswordDialog } from './create-test-patient-dialog.tsx';
import { LIST_TARGET, type TestPatientData } from './test-patient-data.ts';
import { useTestPatientWords } from './use-test-patient-words.ts';

interface PersonDialogProps {
  person: TestPatientData;
  onClose: () => void;
}

export function RenewPasswordDialog({ person, onClose }: PersonDialogProps) {
  const { password: words } = useTestPatientWords();
  const { call } = useConsole();
  const [password, setPassword] = useState<string | null>(null);
  const name = formatFullName(person);
  if (password !== null)
    return <PasswordDialog name={name} email={person.email} password={password} onDone={onClose} />;
  const renew = async () => {
    const target = 'POST /v1/organizations/{orgId}/test-patients/{patientId}/password';
    const params = { patientId: person.id };
    setPassword((await call<typeof renewTestPatientPassword>(target, { params })).password);
  };
  return (
    <ConfirmDialog title={words.renewTitle(name)} confirm={words.renew} onConfirm={renew} onClose={onClose}>
      <p>{words.renewText}</p>
    </ConfirmDialog>
  );
}

export function DeleteDialog({ person, onClose }: PersonDialogProps) {
  const { remove: words } = useTestPatientWords();
  const { call } = useConsole();
  const refresh = useRefresh();
  const toast = useToast();
  const navigate = useNavigate();
  const name = formatFullName(person);
  const remove = async () => {
    const target = 'DELETE /v1/organizations/{orgId}/test-patients/{patientId}';
    await call<typeof deleteTestPatient>(target, { params: { patientId: person.id } });
    toast(words.done(name));
    await navigate({ to: '/test-patients' });
    await refresh(LIST_TARGET);
  };
  return (
    <ConfirmDialog
      title={words.title(name)}
      confirm={words.button}
      danger
      // What a keyboard cannot write is no part of it.
      typed={toPlainPersonName(`${person.firstName} ${person.lastName}`)}
      onConfirm={remove}
      onClose={onClose}
    >
      <p>{words.text}</p>
    </ConfirmDialog>
  );
}
