import { newTestPatient, type TestPatient, type TestService } from '../../harness/service.ts';
import type { Server } from '../bench-service.ts';

/** Creates a test patient that is enrolled, and has opted in unless `consent: false`. */
export const createPatient = (
  { url, organization }: Server,
  options: { consent?: boolean } = {},
): Promise<TestPatient> => newTestPatient({ baseUrl: url, organization } as TestService, options);
