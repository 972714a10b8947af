import type { UseQueryResult } from '@tanstack/react-query';
import type { z } from 'zod';
import type { listOrganizationConsents } from '../../../../contract/organization/organization-consents.ts';
import { useData } from '../api/use-data.ts';

export const LIST_TARGET = 'GET /v1/organizations/{orgId}/consent-records';

const MAX_SHOWN = 50;

export const toDecisionsQuery = (patientId: string) => ({ patientId, limit: MAX_SHOWN }) as const;

/** The newest decisions of a patient; what of a page asks for them asks once. */
export const useDecisions = (
  patientId: string,
): UseQueryResult<z.infer<(typeof listOrganizationConsents)['response']>> =>
  useData<typeof listOrganizationConsents>(LIST_TARGET, { query: toDecisionsQuery(patientId) });
