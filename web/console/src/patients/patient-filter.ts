import { startOfDay } from '../../../../contract/time-zone.ts';
import type { INVITABLE_STATES, PatientState } from '../../../../contract/organization/patients.ts';

type Values = Partial<Record<'q' | 'state' | 'invitedBefore', string>>;
export type PatientFilter = ReturnType<typeof toFilter>;

/** The filters of the address as the API takes them. */
export const toFilter = (
  { q, state, invitedBefore }: Values,
  { projectId, zone }: { projectId: string | null; zone: string },
) => ({
  ...(q !== undefined && { q }),
  ...(state !== undefined && { state: state as PatientState }),
  ...(invitedBefore !== undefined && {
    invitedBefore: startOfDay(invitedBefore.slice(0, 10), zone).toISOString(),
  }),
  ...(projectId !== null && { projectId }),
});

type Invitable = (typeof INVITABLE_STATES)[number];

const INVITABLE: readonly string[] = ['enrolled', 'invited', 'opened', 'has_account'] satisfies Invitable[];

/** Whether a filter may find somebody for an invitation: nobody who has decided gets one. */
export const isInvitable = ({ state }: PatientFilter): boolean =>
  state === undefined || INVITABLE.includes(state);
