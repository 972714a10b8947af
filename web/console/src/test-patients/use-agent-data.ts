import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import type { z } from 'zod';
import type { listUploadBatches } from '../../../../contract/account/uploads.ts';
import type { getConsentedDataScopes } from '../../../../contract/organization/consent-records.ts';
import { Refusal } from '../../../kit/http/refusal.ts';
import type { Tool } from './schema-fields.ts';
import { useScopes } from './use-scopes.ts';
import { useTestCase } from './use-test-agent.ts';
import { findWithheld, type Withheld } from './withheld.ts';

const POLL_MS = 1000;

export type Upload = z.infer<(typeof listUploadBatches)['response']>['results'][number];

const isUnread = ({ status }: Upload): boolean => status === 'queued' || status === 'processing';

/** The uploads of the test patient; while one is unread, they are asked for again. */
export function useUploads(): UseQueryResult<readonly Upload[]> {
  const { agent, patientId, projectId } = useTestCase();
  return useQuery<readonly Upload[]>({
    queryKey: ['test-patient-uploads', patientId, projectId],
    queryFn: async () => {
      const params = { patientId };
      const target = 'GET /v1/patients/{patientId}/upload-documents';
      return (await agent.call<typeof listUploadBatches>(target, { params })).results;
    },
    refetchInterval: ({ state }) => (state.data?.some(isUnread) ? POLL_MS : false),
  });
}

/** What the consent in force leaves out; null: none is in force. */
export function useConsentInForce(): UseQueryResult<Withheld | null> {
  const { agent, patientId, projectId } = useTestCase();
  const { names } = useScopes();
  return useQuery<Withheld | null>({
    queryKey: ['test-patient-consent', patientId, projectId],
    queryFn: async () => {
      const params = { patientId, studyId: projectId };
      const target = 'GET /v1/patients/{patientId}/consented-data-scopes/study/{studyId}';
      try {
        return findWithheld(await agent.call<typeof getConsentedDataScopes>(target, { params }), names);
      } catch (error) {
        // Whoever never consented to anything has no scopes either.
        if (error instanceof Refusal && error.status === 403) return null;
        throw error;
      }
    },
  });
}

/** The tools of the MCP endpoint, as it lists them for any agent. */
export function useTools(): UseQueryResult<readonly Tool[]> {
  const { agent, projectId } = useTestCase();
  return useQuery<readonly Tool[]>({
    queryKey: ['test-patient-tools', projectId],
    queryFn: () => agent.listTools(),
    staleTime: Infinity,
  });
}

/** Returns the function that asks anew for what the agent has changed. */
export function useRefreshCase(): (what: 'uploads' | 'consent') => Promise<void> {
  const client = useQueryClient();
  const { patientId } = useTestCase();
  return (what) => client.invalidateQueries({ queryKey: [`test-patient-${what}`, patientId] });
}
