import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { newAccount, newPerson, requestMailedLink, type TestAccount } from '../harness/account.ts';
import { extractLinkToken, listMailsTo, waitForMail } from '../harness/mails.ts';
import { startTestService, type HttpResponse, type TestService } from '../harness/service.ts';
import { createAccount, invite, newInvited, newStudy, type InvitedPerson } from '../harness/study.ts';
import { createTestBrowser, type TestBrowser } from '../harness/test-browser.ts';

let service: TestService;
let projectId: string;
before(async () => {
  service = await startTestService({ environment: { CHARTGATE_SIGN_UP_LIMIT: '1000' } });
  projectId = await newStudy(service);
});
after(() => service.stop());

type Mallory = TestAccount & { browser: TestBrowser };

interface Attack {
  /** Somebody who was invited, and has no account yet. */
  vera: InvitedPerson;
  /** Whose account asks for her address. */
  mallory: Mallory;
  /** The secret of the link that was mailed to her. */
  token: string;
}

async function askForAddress(email: string): Promise<{ mallory: Mallory; token: string }> {
  const browser = createTestBrowser(service);
  const mallory = { ...(await newAccount(service, browser)), browser };
  const before = (await listMailsTo(service, email)).length;
  const asked = { email, currentPassword: mallory.password };
  assert.equal((await browser.post('/account/email', asked)).status, 202);
  return { mallory, token: extractLinkToken(await waitForMail(service, email, before + 1), 'email') };
}

async function newAttack(): Promise<Attack> {
  const [vera] = await invite(service, projectId, [newPerson({ firstName: 'Vera' })], {
    suppressNotifications: true,
  });
  assert.ok(vera);
  return { vera, ...(await askForAddress(vera.email)) };
}

const confirm = (browser: TestBrowser, token: string): Promise<HttpResponse> =>
  browser.post('/account/email/confirm', { token });
const getAddress = async (browser: TestBrowser): Promise<unknown> =>
  ((await browser.get('/account/session')).body.person as { email: string } | null)?.email;
const isInvited = async (browser: TestBrowser): Promise<boolean> =>
  (await browser.get(`/account/enrollments/${projectId}`)).body.enrolled;

async function assertUntouched({ vera, mallory }: Attack): Promise<void> {
  assert.equal(await getAddress(mallory.browser), mallory.email);
  assert.equal(await isInvited(mallory.browser), false, 'her enrollment is not his');
  await createAccount(service, vera, projectId);
  assert.equal(await getAddress(vera.browser), vera.email);
  assert.equal(await isInvited(vera.browser), true);
}

describe('a stranger’s account that asks for the address of somebody else', () => {
  it('case 570: does not get it by her click: not without a session, and not in that of another account', async () => {
    const attack = await newAttack();
    const { vera, mallory, token } = attack;
    const opened = await vera.browser.post('/account/email/link', { token });
    assert.deepEqual(opened.body, {
      email: vera.email,
      isRestoration: false,
      person: null,
      isOwnAccount: false,
    });
    const refused = await confirm(vera.browser, token);
    assert.deepEqual([refused.status, refused.body.code], [401, 'not_signed_in']);

    const elsewhere = createTestBrowser(service);
    const luis = await newAccount(service, elsewhere);
    const shown = (await elsewhere.post('/account/email/link', { token })).body;
    assert.deepEqual([shown.person.email, shown.isOwnAccount], [luis.email, false]);
    const other = await confirm(elsewhere, token);
    assert.deepEqual([other.status, other.body.code], [403, 'other_account']);
    for (const { body } of [opened, refused, other])
      for (const word of [mallory.email, mallory.lastName])
        assert.ok(!JSON.stringify(body).includes(word), 'and it names nobody to who reads the mail');
    await assertUntouched(attack);
  });

  it('case 570: does not get it by a session that has ended', async () => {
    const attack = await newAttack();
    const { mallory, token } = attack;
    const { browser, email, password } = mallory;
    const other = createTestBrowser(service);
    assert.equal((await other.post('/account/sign-in', { email, password })).status, 200);
    assert.equal((await browser.post('/account/sessions/end-others')).status, 204);
    assert.equal((await confirm(other, token)).status, 401);
    await assertUntouched(attack);
  });

  it('case 570: does not get it by her session, once she has an account of her own', async () => {
    const attack = await newAttack();
    const { vera, mallory, token } = attack;
    await createAccount(service, vera, projectId);
    assert.equal((await confirm(vera.browser, token)).status, 403);
    const late = await confirm(mallory.browser, token);
    assert.deepEqual([late.status, late.body.code], [409, 'address_taken']);
    assert.equal(await getAddress(mallory.browser), mallory.email);
    assert.equal(await isInvited(vera.browser), true);
  });

  it('case 570: asks in nobody’s name, also where it takes part with an organization', async () => {
    const asking = await newInvited(service, projectId);
    const { email } = newPerson();
    const asked = { email, currentPassword: asking.password };
    assert.equal((await asking.browser.post('/account/email', asked)).status, 202);
    const mail = await waitForMail(service, email);
    const { mallory } = await askForAddress(newPerson().email);
    const own = (await listMailsTo(service, mallory.email)).at(-1);
    assert.deepEqual(mail.from, own?.from, 'as the mail to who came for no organization');
  });

  it('case 571: does not get it any more once she says that she did not ask: his links are dead, and no other', async () => {
    const { vera, mallory, token } = await newAttack();
    const asked = { email: vera.email, currentPassword: mallory.password };
    assert.equal((await mallory.browser.post('/account/email', asked)).status, 202);
    const again = extractLinkToken(await waitForMail(service, vera.email, 2), 'email');
    const { mallory: kim, token: kims } = await askForAddress(vera.email);
    assert.equal((await vera.browser.post('/account/email/cancel', { token })).status, 204);
    for (const dead of [token, again]) {
      const answer = await confirm(mallory.browser, dead);
      assert.deepEqual([answer.status, answer.body.code], [404, 'link_invalid']);
    }
    assert.equal((await kim.browser.post('/account/email/link', { token: kims })).status, 200);
    assert.equal(await getAddress(mallory.browser), mallory.email);
  });

  it('case 571: does not end by it the link that leads an account back', async () => {
    const { mallory: jo, token } = await askForAddress(newPerson().email);
    assert.equal((await confirm(jo.browser, token)).status, 200);
    const mail = (await listMailsTo(service, jo.email)).at(-1);
    const back = extractLinkToken(mail ?? assert.fail('no mail'), 'email');
    const thief = createTestBrowser(service);
    assert.equal((await thief.post('/account/email/cancel', { token: back })).status, 404);
    assert.equal((await confirm(createTestBrowser(service), back)).status, 200);
  });
});

describe('a stranger who signs up with the address of somebody else', () => {
  it('case 572: has no part in the account: whoever reads the mail chooses its password, and nothing goes on for him', async () => {
    const [vera] = await invite(service, projectId, [newPerson()], { suppressNotifications: true });
    assert.ok(vera);
    const stranger = createTestBrowser(service);
    const stated = {
      email: vera.email,
      password: 'chosen by the stranger',
      firstName: 'Mal',
      lastName: 'Lory',
    };
    await stranger.post('/account/sign-up', stated);
    const token = await requestMailedLink(service, stranger, { email: vera.email, projectId });
    const { password } = vera;
    assert.equal(
      (await vera.browser.post('/account/password', { token })).status,
      400,
      'none was set before',
    );
    assert.equal((await vera.browser.post('/account/password', { token, password })).status, 200);
    assert.equal(await getAddress(stranger), undefined);
    for (const known of [stated.password, ''])
      assert.notEqual(
        (await stranger.post('/account/sign-in', { email: vera.email, password: known })).status,
        200,
      );
    assert.equal(await isInvited(vera.browser), true);
  });
});
