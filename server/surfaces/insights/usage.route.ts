import { listAttention } from '../../../contract/organization/attention.ts';
import { listDailyFigures } from '../../../contract/organization/daily-figures.ts';
import { listFirstSteps } from '../../../contract/organization/first-steps.ts';
import { getProjectFigures as figuresEndpoint } from '../../../contract/organization/project-figures.ts';
import * as contract from '../../../contract/organization/usage.ts';
import type { AttentionCheck } from '../../platform/attention/attention.ts';
import type { FirstStepCheck } from '../../platform/attention/first-steps.ts';
import { findAttention } from './attention.ts';
import { findFirstSteps } from './first-steps.ts';
import { serve, type Routes } from '../../platform/http/serve.ts';
import { getProjectFigures, type ProjectFiguresDeps } from './project-figures.ts';
import { getDailyFigures } from './daily-figures.ts';
import { getUsage } from './usage.ts';

export interface UsageDeps extends ProjectFiguresDeps {
  attentionChecks: readonly AttentionCheck[];
  firstStepChecks: readonly FirstStepCheck[];
}

/** What an organization used, what of it needs somebody or is to be begun, and how much rests on its projects. */
export function registerUsageRoutes(routes: Routes, deps: UsageDeps): void {
  const { clock, attentionChecks, firstStepChecks } = deps;
  serve(routes, listAttention, async ({ caller }) => ({
    results: await findAttention(attentionChecks, caller, clock.now()),
  }));
  serve(routes, listFirstSteps, async ({ caller }) => ({
    results: await findFirstSteps(firstStepChecks, caller),
  }));
  serve(routes, contract.getUsage, ({ caller, query }) => getUsage(deps, caller, query));
  serve(routes, listDailyFigures, ({ caller, query }) => getDailyFigures(deps, caller, query));
  serve(routes, figuresEndpoint, ({ caller, query }) => getProjectFigures(deps, caller, query));
}
