import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { one } from '../../server/platform/db/db.ts';
import { sql } from '../../server/platform/db/sql.ts';
import { call, startTestService, type HttpResponse, type TestService } from '../harness/service.ts';
import { UNLIMITED } from './attack.ts';

let service: TestService;
before(async () => {
  service = await startTestService({ environment: UNLIMITED });
});
after(() => service.stop());

const GOOD = 'https://agent.example/cb';

const register = (redirect_uris: unknown): Promise<HttpResponse> =>
  call(service, '/oauth/register', { json: { client_name: 'Agent', redirect_uris } });
const countClients = async (): Promise<number> =>
  Number((await one(service.store.db, sql<{ n: string }>`select count(*) as n from oauth_client`)).n);

/** Asserts a refusal that repeats nothing of what was sent and keeps no client. */
async function assertRefused(redirectUris: unknown): Promise<void> {
  const before = await countClients();
  const { status, headers, body } = await register(redirectUris);
  assert.deepEqual([status, body.error], [400, 'invalid_redirect_uri'], JSON.stringify(body));
  assert.deepEqual(Object.keys(body as object), ['error', 'error_description']);
  assert.doesNotMatch(body.error_description as string, /evil|alert|agent\.example/i);
  assert.equal(headers.get('cache-control'), 'no-store');
  assert.equal(await countClients(), before);
}

const SCHEMES: Readonly<Record<string, readonly string[]>> = {
  'a scheme that runs or shows something': [
    'javascript:alert(1)',
    'javascript://agent.example/%0aalert(1)',
    'javascript:void(0)',
    'JavaScript:alert(1)',
    'JAVASCRIPT:alert(1)',
    'java\tscript:alert(1)',
    'java\nscript:alert(1)',
    'java\r\nscript:alert(1)',
    'javascript\u0000:alert(1)',
    '\u0000javascript:alert(1)',
    '\u0001javascript:alert(1)',
    ' javascript:alert(1)',
    '\tjavascript:alert(1)',
    '\u00a0javascript:alert(1)',
    '\ufeffjavascript:alert(1)',
    'javascript :alert(1)',
    'javascript&colon;alert(1)',
    'javascript%3aalert(1)',
    '&#106;avascript:alert(1)',
    'x-javascript:alert(1)',
    'livescript:alert(1)',
    'jar:https://evil.example!/',
    'data:text/html,<script>alert(1)</script>',
    'data:text/html;base64,PHNjcmlwdD4=',
    'Data:text/html,x',
    'da\tta:text/html,x',
    ' data:text/html,x',
    'data:,x',
    'vbscript:msgbox(1)',
    'VBScript:msgbox(1)',
    'vb\nscript:msgbox(1)',
    'blob:https://evil.example/x',
    'filesystem:https://evil.example/x',
    'about:blank',
    'about:srcdoc',
    'view-source:https://evil.example/',
    'chrome://settings',
    'chrome-extension://abcdefghijklmnopabcdefghijklmnop/x.html',
    'moz-extension://x/y',
    'resource://x',
    'edge://x',
  ],
  'a scheme that opens a file or a program': [
    'file:///etc/passwd',
    'file://evil.example/share',
    'FILE:///etc/passwd',
    'fi\tle:///etc/passwd',
    'file:x',
    'smb://evil.example/share',
    'intent://evil.example/#Intent;scheme=https;end',
    'intent:#Intent;action=x;end',
    'Intent://evil.example/',
    'in\ntent://evil.example/',
    'android-app://evil.example/',
    'ms-msdt:/id PCWDiagnostic',
    'ms-msdt:/id',
    'search-ms:query=x',
    'ms-word:ofe|u|https://evil.example/',
    'ms-settings:x',
    'itms-services://?action=download-manifest&url=https://evil.example/',
    'shortcuts://run-shortcut?name=x',
    'facetime:evil',
    'tel:112',
    'sms:112',
    'mailto:evil@evil.example',
    'market://details?id=evil',
    'steam://run/1',
    'jnlp:https://evil.example/x.jnlp',
    'cmd:x',
    'ssh://evil.example',
    'telnet://evil.example',
  ],
  'a scheme of another protocol': [
    'ws://agent.example/cb',
    'wss://agent.example/cb',
    'WS://agent.example/cb',
    'w\ts://agent.example/cb',
    'ftp://agent.example/cb',
    'ftps://agent.example/cb',
    'gopher://evil.example/',
    'ldap://evil.example/',
    'dict://evil.example/',
    'git://evil.example/',
    'blob:x',
    'cid:x',
    'urn:ietf:wg:oauth:2.0:oob',
    'urn:ietf:wg:oauth:2.0:oob:auto',
    'oob',
    'postmessage',
    'storagerelay://https/agent.example',
    'about:x',
    'httpss://agent.example/cb',
    'https+x://agent.example/cb',
    'app:/cb',
    'myapp://cb',
    'x://cb',
    '1com.example:/cb',
    '.com.example:/cb',
    'com.example.:/cb',
    'com..example:/cb',
    'Com.Example.App:/cb',
    'com.example.app:',
    'com.example_app:/cb',
    ':/cb',
    '://agent.example/cb',
  ],
  'http that leaves this device': [
    'http://agent.example/cb',
    'HTTP://agent.example/cb',
    'http://192.168.1.5/cb',
    'http://10.0.0.1/cb',
    'http://169.254.169.254/latest',
    'http://0.0.0.0/cb',
    'http://0/cb',
    'http://127.0.0.2/cb',
    'http://127.1/cb',
    'http://0x7f000001/cb',
    'http://0177.0.0.1/cb',
    'http://2130706433/cb',
    'http://127.0.0.1.evil.example/cb',
    'http://127.0.0.1.nip.io/cb',
    'http://localhost.evil.example/cb',
    'http://localhost./cb',
    'http://LOCALHOST/cb',
    'http://a.localhost/cb',
    'http://[::]/cb',
    'http://[::ffff:127.0.0.1]/cb',
    'http://[0:0:0:0:0:0:0:1]/cb',
    'http://[fe80::1]/cb',
    'http://[::1%25eth0]/cb',
    'http://evil.example#@127.0.0.1/cb',
    'http://127.0.0.1@evil.example/cb',
    'http://127.0.0.1:99999/cb',
    'http://127.0.0.1:0/cb',
    'http://127.0.0.1:/cb',
    'http:127.0.0.1/cb',
    'http:/127.0.0.1/cb',
    'http:///cb',
    'http://',
  ],
  'a wildcard, a fragment or user information': [
    'https://*/cb',
    'https://*.agent.example/cb',
    'https://agent.*/cb',
    'https://agent.example:*/cb',
    'http://127.0.0.1:*/cb',
    'http://localhost:*/*',
    '*',
    '*://*/*',
    'com.example.app://*/cb',
    'https://agent.example/cb#',
    'https://agent.example/cb#x',
    'https://agent.example#x',
    'https://agent.example/cb?x#y',
    'com.example.app:/cb#x',
    'http://127.0.0.1/cb#x',
    'https://user@agent.example/cb',
    'https://user:secret@agent.example/cb',
    'https://:secret@agent.example/cb',
    'https://@agent.example/cb',
    'https://agent.example@evil.example/cb',
    'https://agent.example:443@evil.example/cb',
    'https://agent.example%40evil.example/cb',
    'http://user@127.0.0.1/cb',
    'com.example.app://user@host/cb',
  ],
  'a parameter that the response adds': [
    'https://agent.example/cb?code=x&state=y',
    'https://agent.example/cb?tenant=1&state=y',
    'https://agent.example/cb?%63ode=x',
    'https://agent.example/cb?iss=https://evil.example',
    'http://127.0.0.1/cb?error',
    'com.example.app:/cb?code=x',
  ],
  'white space, control characters, or what is no ASCII': [
    ' https://agent.example/cb',
    'https://agent.example/cb ',
    'https://agent.example/c b',
    'https:// agent.example/cb',
    'https://agent.example /cb',
    '\thttps://agent.example/cb',
    'ht\ttps://agent.example/cb',
    'https://agent.example/cb\n',
    'https://agent.example/cb\r\nLocation: https://evil.example',
    'https://agent.example/\u0000',
    'https://agent.example\u0000.evil.example/cb',
    'https://agent.example/\u007f',
    'https://agent.example/\u0085',
    'https://agent.example/\u00a0',
    'https://agent.example/\u200b',
    'https://agent.example/\u202ecb',
    'https://agent.example/\u2028',
    'https://agent.example/\ufeff',
    'https://agent.example/\ud800',
    'https://agent.example/cb%00',
    'https://agent.example/cb%0a',
    'https://agent.example/cb%0D%0ALocation:evil',
    'https://agent.example/cb%1f',
    'https://agent.example/cb%7F',
    'https://agent.example/cb%',
    'https://agent.example/cb%zz',
    'https://bücher.example/cb',
    'https://аgent.example/cb',
    'https://agent。example/cb',
    'https://agent.example／evil.example/cb',
    'https://agent.example\\cb',
    'https:\\\\agent.example\\cb',
    'https://agent.example\\@evil.example/cb',
    'https://agent.example/"onload="alert(1)',
    "https://agent.example/<script>alert('evil')</script>",
    'https://agent.example/`',
    'https://agent.example/{x}',
    'https://agent.example/|',
    'https://agent.example/^',
  ],
  'no absolute address, or one that names its host in another way': [
    '',
    ' ',
    '/',
    '/cb',
    '//agent.example/cb',
    '?x',
    '#',
    'agent.example/cb',
    'https',
    'https:',
    'https:/agent.example/cb',
    'https:agent.example/cb',
    'https:///cb',
    'https://:443/cb',
    'https://?x',
    'https://agent.example:/cb',
    'https://agent.example:0/cb',
    'https://agent.example:65536/cb',
    'https://agent.example:0443/cb',
    'https://agent.example:-1/cb',
    'https://AGENT.example/cb',
    'https://agent%2eexample/cb',
    'https://127.1/cb',
    'https://0x7f000001/cb',
    'https://[::FFFF:127.0.0.1]/cb',
    'https://[::1/cb',
    'https://agent.example]/cb',
    `https://agent.example/${'x'.repeat(2000)}`,
    `https://${'x'.repeat(2000)}.example/`,
  ],
};

for (const [what, uris] of Object.entries(SCHEMES)) {
  describe(`a client that registers ${what}`, () => {
    for (const uri of uris) {
      it(`case 5: ${JSON.stringify(uri.slice(0, 80))}`, async () => {
        await assertRefused([uri]);
        await assertRefused([GOOD, uri]);
        await assertRefused([uri, GOOD]);
      });
    }
  });
}

describe('a client that registers something else than a list of addresses', () => {
  for (const uris of [
    undefined,
    null,
    [],
    GOOD,
    {},
    { 0: GOOD, length: 1 },
    [null],
    [1],
    [[GOOD]],
    [{ toString: GOOD }],
    [GOOD, undefined],
    Array.from({ length: 21 }, (_, index) => `${GOOD}/${index}`),
    Array.from({ length: 2000 }, () => GOOD),
  ]) {
    it(`case 5: ${(JSON.stringify(uris) ?? 'nothing').slice(0, 80)}`, () => assertRefused(uris));
  }
});

describe('a client that registers what programs really use', () => {
  for (const uri of [
    GOOD,
    'https://claude.ai/api/mcp/auth_callback',
    'https://agent.example:8443/cb?tenant=a%20b&x=1',
    'https://xn--bcher-kva.example/cb',
    'http://127.0.0.1:33418/',
    'http://localhost/callback',
    'http://[::1]:1/cb',
    'cursor://anysphere.cursor-mcp/oauth/callback',
    'vscode://vscode.github-authentication/did-authenticate',
    'com.example.app:/oauth2redirect',
  ]) {
    it(`case 5: ${uri} is kept as it is`, async () => {
      const { status, body } = await register([uri]);
      assert.deepEqual([status, body.redirect_uris], [201, [uri]]);
    });
  }
});
