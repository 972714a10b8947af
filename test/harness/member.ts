import { Secret, TOTP } from 'otpauth';
import type { CredentialId, MemberId, OrganizationId, ProjectId } from '../../contract/brands.ts';
import type { Role } from '../../contract/roles.ts';
import { beginMemberSession } from '../../server/identity/members/member-session.ts';
import { insertMember } from '../../server/identity/members/members.sql.ts';
import { sql } from '../../server/platform/db/sql.ts';
import { generateId } from '../../server/platform/kernel/ids.ts';
import { hashPassword } from '../../server/platform/kernel/password.ts';
import { call, type HttpResponse, type TestService } from './service.ts';

/** A person at the console: a browser with its cookies, that proves with each change that our own page sent it. */
export interface ConsoleBrowser {
  cookies: Map<string, string>;
  get(url: string, headers?: Record<string, string>): Promise<HttpResponse>;
  send(method: string, url: string, json?: unknown, headers?: Record<string, string>): Promise<HttpResponse>;
  post(url: string, json?: unknown, headers?: Record<string, string>): Promise<HttpResponse>;
  csrfToken(): Promise<string>;
}

export function createConsoleBrowser(service: Pick<TestService, 'baseUrl'>): ConsoleBrowser {
  const cookies = new Map<string, string>();
  let token: Promise<string> | undefined;
  const request = async (
    method: string,
    url: string,
    { json, headers }: { json?: unknown; headers: Record<string, string> },
  ): Promise<HttpResponse> => {
    const cookie = Array.from(cookies, (pair) => pair.join('=')).join('; ');
    const answer = await call(service, url, {
      method,
      ...(json !== undefined && { json }),
      headers: { ...(cookie !== '' && { cookie }), ...headers },
    });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=;]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    return answer;
  };
  const browser: ConsoleBrowser = {
    cookies,
    csrfToken: () =>
      (token ??= request('GET', '/console/session', { headers: {} }).then(
        ({ body }) => body.csrfToken as string,
      )),
    get: (url, headers = {}) => request('GET', url, { headers }),
    async send(method, url, json, headers = {}) {
      const own = { 'x-csrf-token': await browser.csrfToken(), origin: new URL(service.baseUrl).origin };
      return request(method, url, { json, headers: { ...own, ...headers } });
    },
    post: (url, json, headers) => browser.send('POST', url, json, headers),
  };
  return browser;
}

export const MEMBER_PASSWORD = 'a horse that staples batteries';

export interface TestMember {
  memberId: MemberId;
  email: string;
  /** Base32. */
  totpSecret: string;
}

let memberCount = 0;

/** Adds a member with password and authenticator app, as an invitation and two steps at the console would. */
export async function newMember(
  { store, clock, organization }: TestService,
  role: Role,
  {
    organizationId = organization.organizationId,
    projectIds = null,
  }: { organizationId?: OrganizationId; projectIds?: string[] | null } = {},
): Promise<TestMember> {
  const memberId = generateId<MemberId>();
  const email = `member${++memberCount}@clinic.example`;
  const totpSecret = new Secret({ size: 20 }).base32;
  await store.db.query(
    insertMember({
      member_id: memberId,
      organization_id: organizationId,
      email: email as never,
      name: `Member ${memberCount}`,
      role,
      project_ids: projectIds as ProjectId[] | null,
      password_hash: await hashPassword(MEMBER_PASSWORD),
      credential_id: generateId<CredentialId>(),
      must_choose_password: false,
      created_at: clock.now(),
    }),
  );
  await store.db.query(sql`update member set totp_secret = ${totpSecret} where member_id = ${memberId}`);
  return { memberId, email, totpSecret };
}

/** The code that an app shows now, or `steps` half minutes later. */
export const getTotpCode = ({ clock }: Pick<TestService, 'clock'>, secret: string, steps = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({
    timestamp: clock.now().getTime() + steps * 30_000,
  });

/** A session of the member, begun without the form; answers the value of its cookie. */
export async function beginTestSession(
  { store, clock }: Pick<TestService, 'store' | 'clock'>,
  memberId: MemberId,
): Promise<string> {
  return store.db.tx(async (tx) => {
    const [row] = await tx.query(
      sql<{ credential_id: CredentialId }>`select credential_id from member where member_id = ${memberId}`,
    );
    const credentialId = row?.credential_id as CredentialId;
    return beginMemberSession(tx, { memberId, credentialId, device: '', now: clock.now(), previous: null });
  });
}

/** A browser in which the member is signed in. */
export async function signInAs(service: TestService, { memberId }: TestMember): Promise<ConsoleBrowser> {
  const browser = createConsoleBrowser(service);
  await browser.csrfToken();
  browser.cookies.set('chartgate-console', await beginTestSession(service, memberId));
  return browser;
}
