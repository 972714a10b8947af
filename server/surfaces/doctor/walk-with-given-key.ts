import { decodeJwt } from 'jose';
import type { z } from 'zod';
import type { getOrganization } from '../../../contract/organization/organization.ts';
import { createFinding, type Finding } from './finding.ts';
import { callApi } from './service-client.ts';
import { explain, walk, type WalkOptions } from './walk.ts';

interface GivenWalk extends Omit<WalkOptions, 'organizationId'> {
  /** The name or id of the organization that the key is meant to be of; null: whichever it is of. */
  nameOrId: string | null;
}

/**
 * Walks with an admin key that somebody gave, in its organization: a key is of one, and knows which. That is compared with the
 * name or id that was asked for, since without the store nothing else says what an organization is called.
 */
export async function walkWithGivenKey({ nameOrId, ...options }: GivenWalk): Promise<Finding[]> {
  const { baseUrl, key } = options;
  try {
    const { token } = await callApi<{ token: string }>(baseUrl, '/v1/auth/token', { body: key });
    // Our own token, which the service has just given: it is read, not verified.
    const { organizationId } = decodeJwt<{ organizationId: string }>(token);
    const { id, name } = await callApi<z.infer<typeof getOrganization.response>>(
      baseUrl,
      `/v1/organizations/${organizationId}`,
      { token },
    );
    if (nameOrId !== null && nameOrId !== name && nameOrId.toLowerCase() !== id)
      return [createFinding('key_of_another')];
    return await walk({ ...options, organizationId: id });
  } catch (error) {
    return [createFinding('key_refused', { reason: explain(error) })];
  }
}
