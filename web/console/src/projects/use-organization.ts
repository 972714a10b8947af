import type { getOrganization } from '../../../../contract/organization/organization.ts';
import { useConsole } from '../api/use-console.ts';
import { useData } from '../api/use-data.ts';

/** The organization as patients know it; until that is loaded, by the name that members know. */
export function useOrganization() {
  const { organization } = useConsole();
  const { data } = useData<typeof getOrganization>('GET /v1/organizations/{orgId}');
  return {
    name: data?.displayName ?? organization.name,
    contact: data?.contact ?? null,
    brand: data?.brand ?? null,
  };
}
