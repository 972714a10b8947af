import type { OrganizationCaller } from '../../../contract/audience.ts';
import { FIRST_STEPS, type FirstStepCode } from '../../../contract/organization/first-steps.ts';
import { hasPermission } from '../../../contract/roles.ts';
import type { FirstStepCheck } from '../../platform/attention/first-steps.ts';

/** Returns the first steps that the caller may take, in their order, each with whether it is done. */
export async function findFirstSteps(
  checks: readonly FirstStepCheck[],
  caller: OrganizationCaller,
): Promise<{ code: FirstStepCode; isDone: boolean }[]> {
  const permitted = checks.filter(({ permission }) => hasPermission(caller.role, permission));
  const answers = await Promise.all(
    permitted.map(async ({ code, isDone }) => ({ code, isDone: await isDone(caller) })),
  );
  return FIRST_STEPS.flatMap((code) => {
    const ofStep = answers.filter((answer) => answer.code === code);
    return ofStep.length === 0 ? [] : { code, isDone: ofStep.some(({ isDone }) => isDone) };
  });
}
