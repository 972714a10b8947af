import type { z } from 'zod';
import type { testSource } from '../../contract/sources.ts';
import { readCapabilities, type Capabilities } from './capabilities.ts';
import { credentialsOf, tokenCache } from './credentials.ts';
import { fhirClient } from './fhir-client.ts';
import { messageOf, SourceFault } from './source-fault.ts';
import type { SourceRow } from './sources.sql.ts';
import type { SyncDeps } from './sync-patient.ts';
import type { Wire } from './wire.ts';

type Told = z.input<(typeof testSource)['response']>;
type Step = Told['steps'][number];

/** Somebody waits for the answer. */
const WITHIN_MS = 20_000;

/** Signs in, with a token of its own, and reads the server's statement; says which step fails and why. */
export async function tryServer(deps: Omit<SyncDeps, 'jobs' | 'tokens'>, source: SourceRow): Promise<Told> {
  const limits = { ...deps.limits, requestMs: WITHIN_MS };
  const wire: Wire = { ...deps, limits, signal: AbortSignal.timeout(3 * WITHIN_MS) };
  const credentials = credentialsOf({ ...deps, tokens: tokenCache() }, wire, source);
  const steps: Step[] = [];
  let found: Capabilities | undefined;
  const signedIn = await tried(steps, 'token', () => credentials.header());
  if (signedIn)
    await tried(steps, 'metadata', async () => {
      const client = fhirClient(wire, source.base_url, credentials);
      found = await readCapabilities(client, limits.metadataBytes);
    });
  return {
    ok: steps.every(({ ok }) => ok),
    steps,
    fhirVersion: found?.fhirVersion?.slice(0, 20) ?? null,
    everything: found?.everything ?? null,
    match: found?.match ?? false,
  };
}

async function tried(steps: Step[], step: Step['step'], action: () => Promise<unknown>): Promise<boolean> {
  const code = await action().then(
    () => null,
    (error: unknown) => {
      if (error instanceof SourceFault) return error.code;
      if (error instanceof DOMException && error.name === 'TimeoutError') return 'timeout';
      throw error;
    },
  );
  steps.push({ step, ok: code === null, code, message: messageOf(code) });
  return code === null;
}
