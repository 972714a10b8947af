import type { ListedPatient, PatientState } from '../../../../contract/organization/patients.ts';
import { formatPersonName } from '../../../../contract/account/person-name.ts';
import { Badge } from '../kit/badge.tsx';
import { usePatientWords } from './use-patient-words.ts';

type Named = Pick<ListedPatient, 'firstName' | 'lastName'>;

/** The name that the organization enrolled the person with, as it was written; null: it wrote none. */
export const joinName = ({ firstName, lastName }: Named): string | null =>
  [firstName, lastName].filter(Boolean).join(' ') || null;

/** That name as it may stand in a sentence. */
export function formatName(person: Named): string | null {
  const name = joinName(person);
  return name === null ? null : formatPersonName(name);
}

/** Whether the organization has the person no more. */
export const isOver = (state: PatientState): boolean => state === 'ended' || state === 'deleted';

const KINDS: Readonly<Record<PatientState, 'plain' | 'good' | 'warning' | 'danger'>> = {
  enrolled: 'plain',
  invited: 'plain',
  opened: 'plain',
  has_account: 'plain',
  consents: 'good',
  expired: 'warning',
  declined: 'danger',
  withdrew: 'danger',
  ended: 'danger',
  deleted: 'danger',
};

/** How far somebody has come, in a word. */
export function StateBadge({ state }: { state: PatientState }) {
  const { states } = usePatientWords();
  return <Badge kind={KINDS[state]}>{states[state]}</Badge>;
}
