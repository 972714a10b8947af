import type { z } from 'zod';
import type * as contract from '../../../contract/organization/sources.ts';
import { readCapabilities, type Capabilities } from './capabilities.ts';
import { createCredentials, createTokenCache } from './credentials.ts';
import { createFhirClient } from './fhir-client.ts';
import { findMessage, SourceFault } from './source-fault.ts';
import type { SourceRow } from './sources.sql.ts';
import type { SyncDeps } from './sync-patient.ts';
import type { HttpContext } from './http.ts';

type TestResult = z.input<(typeof contract.testSource)['response']>;
type Step = TestResult['steps'][number];

/** Short, since a person waits for the answer. */
const STEP_TIMEOUT_MS = 20_000;

/** Signs in with a token of its own and reads the server's capability statement; says which step fails and why. */
export async function testSource(
  deps: Omit<SyncDeps, 'jobs' | 'tokens' | 'inspectors'>,
  source: SourceRow,
): Promise<TestResult> {
  const limits = { ...deps.limits, firstRequestMs: STEP_TIMEOUT_MS };
  const http: HttpContext = { ...deps, limits, signal: AbortSignal.timeout(3 * STEP_TIMEOUT_MS) };
  const credentials = createCredentials({ ...deps, tokens: createTokenCache() }, http, source);
  const steps: Step[] = [];
  let capabilities: Capabilities | undefined;
  const hasToken = await runStep(steps, 'token', () => credentials.getAuthorization());
  if (hasToken)
    await runStep(steps, 'metadata', async () => {
      const client = createFhirClient(http, source.base_url, credentials);
      capabilities = await readCapabilities(client, limits);
    });
  return {
    ok: steps.every(({ ok }) => ok),
    steps,
    fhirVersion: capabilities?.fhirVersion?.slice(0, 20) ?? null,
    everything: capabilities?.everything ?? null,
    match: capabilities?.match ?? false,
  };
}

async function runStep(steps: Step[], step: Step['step'], action: () => Promise<unknown>): Promise<boolean> {
  const code = await action().then(
    () => null,
    (error: unknown) => {
      if (error instanceof SourceFault) return error.code;
      if (error instanceof DOMException && error.name === 'TimeoutError') return 'timeout';
      throw error;
    },
  );
  steps.push({ step, ok: code === null, code, message: findMessage(code) });
  return code === null;
}
