import type { PRESENT_STATES } from '../../../../contract/organization/end-enrollments.ts';
import type { INVITABLE_STATES } from '../../../../contract/organization/patients.ts';
import { splitValues } from '../list/choices-filter.tsx';

type Values = { [Name in 'q' | 'state' | 'invitedBefore' | 'sourceState']?: string | undefined };
export type PatientFilter = ReturnType<typeof toFilter>;

/** The filters of the address as the API takes them; `invitedBefore` is a moment. */
export const toFilter = ({ q, state, invitedBefore, sourceState }: Values, projectId: string | null) => ({
  ...(q !== undefined && { q }),
  ...(state !== undefined && { state }),
  ...(invitedBefore !== undefined && { invitedBefore }),
  ...(sourceState !== undefined && { sourceState }),
  ...(projectId !== null && { projectId }),
});

/** The filter in a body, whose several values are an array. */
export const toFilterBody = ({ state, ...filter }: PatientFilter) => ({
  ...filter,
  ...(state !== undefined && { state: splitValues(state) }),
});

type Invitable = (typeof INVITABLE_STATES)[number];

const INVITABLE: readonly string[] = ['enrolled', 'invited', 'opened', 'has_account'] satisfies Invitable[];

/** Whether a filter may find somebody for an invitation: nobody who has decided gets one, and nobody else is at a source. */
export const isInvitable = ({ state, sourceState }: PatientFilter): boolean =>
  sourceState === undefined && splitValues(state).every((each) => INVITABLE.includes(each));

type Present = (typeof PRESENT_STATES)[number];

const PRESENT: readonly string[] = [
  ...INVITABLE,
  ...(['declined', 'consents', 'expired', 'withdrew'] satisfies Present[]),
];

/** Whether a filter may find an enrollment to end; by the state at a source it is not done. */
export const isEndable = ({ state, sourceState }: PatientFilter): boolean =>
  sourceState === undefined && splitValues(state).every((each) => PRESENT.includes(each));
