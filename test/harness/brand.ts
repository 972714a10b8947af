import assert from 'node:assert/strict';
import type { Brand } from '../../contract/organization/brand.ts';
import { createPng } from './evidence.ts';
import { call, getOrganizationToken, type TestService } from './service.ts';

const SIDE = 96;
const ROW = 1 + 3 * SIDE;

/** A mark that cannot be overlooked: stripes of red and amber, on the whole of it. */
export const createMark = (): Buffer =>
  createPng(SIDE, SIDE, (at) => {
    const isAmber = Math.floor(at / ROW / 16) % 2 === 1;
    return [200, isAmber ? 160 : 30, 60][((at % ROW) - 1) % 3] as number;
  });

/** Gives an organization a mark and a colour; returns how its patients see it. */
export async function setBrand(
  service: TestService,
  accentColor: string,
  organization = service.organization,
): Promise<Brand> {
  const token = await getOrganizationToken(service, 'admin', organization);
  const path = `/v1/organizations/${organization.organizationId}`;
  await call(service, path, { method: 'PATCH', token, json: { accentColor } });
  const image = createMark().toString('base64');
  const { status, body } = await call(service, `${path}/mark`, { method: 'PUT', token, json: { image } });
  assert.equal(status, 200, JSON.stringify(body));
  return body.brand as Brand;
}
