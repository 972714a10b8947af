import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { describeRedirectUri, matchesRedirectUri, findRedirectUriError } from './redirect-uri.ts';

/** Those of agents that patients use, and of programs as RFC 8252 describes them. */
const GOOD = [
  'https://claude.ai/api/mcp/auth_callback',
  'https://claude.com/api/mcp/auth_callback',
  'https://chatgpt.com/connector_platform_oauth_redirect',
  'https://chatgpt.com/connector/oauth/AbC-1_2',
  'https://vscode.dev/redirect',
  'https://www.cursor.com/agents/mcp/oauth/callback',
  'https://agent.example',
  'https://agent.example/',
  'https://agent.example:8443/cb?tenant=a%20b&x=[1]',
  'https://agent.example/code=1/state=2?encode=1&states=2&x=code',
  'https://xn--bcher-kva.example/cb',
  'https://localhost:3000/cb',
  'https://192.168.1.5/cb',
  'http://127.0.0.1',
  'http://127.0.0.1/',
  'http://127.0.0.1:33418/',
  'http://127.0.0.1:6276/oauth/callback',
  'http://[::1]:1/cb',
  'http://localhost/callback',
  'http://localhost:65535/callback',
  'cursor://anysphere.cursor-mcp/oauth/callback',
  'vscode://vscode.github-authentication/did-authenticate',
  'vscode-insiders://x/y',
  'com.example.app:/oauth2redirect',
  'com.example.app://cb',
  'ai.perplexity.mac://oauth',
  'com.anthropic.claude:/cb',
  'ai.example.app:/cb',
  'io.github.someone.agent:/cb',
  'dev.example:/cb',
];

const BAD = [
  '',
  '/callback',
  'agent.example/callback',
  '//agent.example/callback',
  'https:',
  'https:/agent.example',
  'https:agent.example',
  'https://',
  'https:///cb',
  'https://?x',
  'https://:443/cb',
  'https://agent.example:/cb',
  'https://agent.example:0/cb',
  'https://agent.example:99999/cb',
  'https://agent.example:0443/cb',
  'https://agent.example:4 43/cb',
  'https://AGENT.example/cb',
  'https://agent.example./cb',
  'https://agent.example.:8443/cb',
  'https://localhost./cb',
  'HTTPS://agent.example/cb',
  'https://agent.example/cb?code=1',
  'https://agent.example/cb?x=1&c%6fde=1',
  'http://127.0.0.1/cb?state',
  'com.example.app:/cb?iss=https://evil.example',
  'https://agent.example/cb?x=?&error=access_denied',
  'https://agent.example/cb#',
  'https://agent.example/cb#frag',
  'https://user@agent.example/cb',
  'https://user:secret@agent.example/cb',
  'https://@agent.example/cb',
  'https://agent.example:443@evil.example/cb',
  'https://agent.example\\@evil.example/cb',
  'https:\\\\agent.example\\cb',
  'https://*.agent.example/cb',
  'https://*/cb',
  'https://agent.*/cb',
  'https://%61gent.example/cb',
  'https://agent.example%00.evil.example/cb',
  'https://agent.example/cb%00',
  'https://agent.example/cb%0a',
  'https://agent.example/cb%0D%0AX:%20y',
  'https://agent.example/cb%7F',
  'https://agent.example/cb%',
  'https://agent.example/cb%zz',
  'https://agent.example/c b',
  ' https://agent.example/cb',
  'https://agent.example/cb ',
  'https://agent.example/cb\n',
  'https://agent.example/cb\u0000',
  'ht\ttps://agent.example/cb',
  'https://agent.example/\u202ecb',
  'https://bücher.example/cb',
  'https://agent。example/cb',
  'https://agent.example/<script>',
  'https://agent.example/"x"',
  'https://127.1/cb',
  'https://0x7f000001/cb',
  'https://2130706433/cb',
  'https://[::FFFF:127.0.0.1]/cb',
  'http://agent.example/cb',
  'http://127.1/cb',
  'http://127.0.0.2/cb',
  'http://127.0.0.1./cb',
  'http://0x7f000001/cb',
  'http://0177.0.0.1/cb',
  'http://2130706433/cb',
  'http://[0:0:0:0:0:0:0:1]/cb',
  'http://[::ffff:127.0.0.1]/cb',
  'http://Localhost/cb',
  'http://localhost./cb',
  'http://localhost.evil.example/cb',
  'http://a.localhost/cb',
  'http://127.0.0.1:1@evil.example/cb',
  'http://127.0.0.1:99999/cb',
  'http://127.0.0.1:0/cb',
  'http://127.0.0.1:/cb',
  'http://0.0.0.0/cb',
  'http://169.254.169.254/latest',
  'agent.example:443/cb',
  'com.example.app:cb',
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'java\nscript:alert(1)',
  ' javascript:alert(1)',
  'javascript://agent.example/%0aalert(1)',
  'data:text/html,x',
  'vbscript:x',
  'file:///etc/passwd',
  'blob:https://agent.example/1',
  'about:blank',
  'intent://x#Intent;scheme=https;end',
  'intent:x',
  'ws://agent.example/cb',
  'wss://agent.example/cb',
  'ftp://agent.example/cb',
  'mailto:a@b.example',
  'tel:1',
  'chrome://settings',
  'view-source:https://agent.example/',
  'filesystem:https://agent.example/',
  'ms-msdt:/id',
  'search-ms:query',
  'myapp://cb',
  'Cursor://cb',
  'cursor:',
  'cursor://user@host/cb',
  'cursor://*/cb',
  'cursor://cb#x',
  'com.example.app:',
  'Com.Example.App:/cb',
  'com.:/cb',
  'claude.ai:/cb',
  'my.claude.ai:/cb',
  'claude.com://cb',
  'evil-agent.com:/cb',
  'login.evil-agent.org:/cb',
  '.com:/cb',
  'urn:ietf:wg:oauth:2.0:oob',
  `https://agent.example/${'x'.repeat(2000)}`,
];

describe('redirect URIs', () => {
  for (const uri of GOOD) {
    it(`may be registered as ${uri}`, () => assert.equal(findRedirectUriError(uri), null));
  }

  for (const uri of BAD) {
    it(`may not be registered as ${JSON.stringify(uri.slice(0, 80))}`, () => {
      const refusal = findRedirectUriError(uri);
      assert.equal(typeof refusal, 'string');
      assert.ok(uri.length < 8 || !refusal?.includes(uri), 'and are not quoted');
    });
  }

  it('match the same text only', () => {
    const registered = ['https://agent.example/cb', 'cursor://x/cb'];
    for (const uri of registered) assert.ok(matchesRedirectUri(registered, uri));
    for (const other of [
      'https://agent.example/cb/',
      'https://agent.example/CB',
      'https://agent.example/cb?x',
      'https://agent.example/cb#x',
      'https://agent.example/./cb',
      'https://agent.example:443/cb',
      'https://agent.example:8443/cb',
      'https://agent.example.evil.example/cb',
      'https://x.agent.example/cb',
      'http://agent.example/cb',
      'HTTPS://agent.example/cb',
      'https://agent.example/cb\n',
      'cursor://x/cb/',
      'cursor://x:1/cb',
      '',
    ]) {
      assert.ok(!matchesRedirectUri(registered, other), other);
    }
    assert.ok(!matchesRedirectUri([], 'https://agent.example/cb'));
  });

  it('match any port on the same loopback host', () => {
    for (const host of ['127.0.0.1', '[::1]', 'localhost']) {
      const registered = [`http://${host}:33418/cb?a=b`];
      for (const port of ['', ':1', ':80', ':33418', ':65535']) {
        assert.ok(matchesRedirectUri(registered, `http://${host}${port}/cb?a=b`));
        assert.ok(matchesRedirectUri([`http://${host}/cb?a=b`], `http://${host}${port}/cb?a=b`));
      }
      for (const other of ['127.0.0.1', '[::1]', 'localhost'].filter((name) => name !== host)) {
        assert.ok(!matchesRedirectUri(registered, `http://${other}:33418/cb?a=b`));
      }
    }
    const registered = ['http://127.0.0.1:33418/cb'];
    for (const other of [
      'http://127.0.0.1:0/cb',
      'http://127.0.0.1:65536/cb',
      'http://127.0.0.1:99999/cb',
      'http://127.0.0.1:/cb',
      'http://127.0.0.1:01/cb',
      'http://127.0.0.1:1x/cb',
      'http://127.0.0.1:1@evil.example/cb',
      'http://127.0.0.1:1\\@evil.example/cb',
      'http://127.0.0.1:1/cb/',
      'http://127.0.0.1:1/cb#x',
      'http://127.0.0.1:1/CB',
      'http://127.1:1/cb',
      'http://0x7f000001:1/cb',
      'http://127.0.0.2:1/cb',
      'http://127.0.0.1.evil.example:1/cb',
      'https://127.0.0.1:1/cb',
      'http://127.0.0.1:1/cb\t',
    ]) {
      assert.ok(!matchesRedirectUri(registered, other), other);
    }
    assert.ok(!matchesRedirectUri(['https://localhost:3000/cb'], 'https://localhost:3001/cb'));
  });

  it('never redirect to a host that is not registered', () => {
    const pieces = ['http:', 'https:', '//', '/', '\\', '@', ':', '#', '?', '.', '*', '%', '%00', '%2e', '\t', '\n', ' ',
      '127.0.0.1', '127.1', '0x7f000001', 'localhost', 'LOCALHOST', '[::1]', '[', ']', '::ffff:127.0.0.1', 'evil.example',
      'agent.example', 'cb', '80', '33418', '99999', 'cursor:', 'com.example:', 'javascript:', '。', '\u202e']; // prettier-ignore
    const text = fc.oneof(
      fc
        .array(fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 3 })), { maxLength: 9 })
        .map((all) => all.join('')),
      fc.constantFrom(...GOOD, ...BAD),
      fc
        .tuple(fc.constantFrom(...GOOD), fc.nat(40), fc.constantFrom(...pieces))
        .map(([uri, at, piece]) => uri.slice(0, at) + piece + uri.slice(at)),
    );
    fc.assert(
      fc.property(fc.array(text, { maxLength: 3 }), text, (candidates, given) => {
        const registered = [...candidates, ...GOOD].filter((uri) => findRedirectUriError(uri) === null);
        if (!matchesRedirectUri(registered, given)) return;
        const to = new URL(given);
        assert.ok(
          registered.some((uri) => {
            const known = new URL(uri);
            return (
              known.protocol === to.protocol &&
              known.hostname === to.hostname &&
              known.pathname === to.pathname
            );
          }),
        );
        assert.equal(to.username + to.password + to.hash, '');
        assert.equal(findRedirectUriError(given), null);
      }),
      { numRuns: 20_000 },
    );
  });

  it('are described by the host that the browser goes to', () => {
    for (const uri of GOOD) {
      const { redirectHost } = describeRedirectUri(uri);
      const url = new URL(uri);
      const web = url.protocol.startsWith('http');
      if (web) assert.ok(url.host === redirectHost || url.hostname === redirectHost, uri);
      else assert.equal(redirectHost, url.protocol);
    }
    const describeUri = (uri: string) => Object.values(describeRedirectUri(uri));
    assert.deepEqual(describeUri('https://agent.example/cb'), ['agent.example', false]);
    assert.deepEqual(describeUri('https://agent.example:443/cb'), ['agent.example', false]);
    assert.deepEqual(describeUri('https://agent.example:8443/cb'), ['agent.example:8443', false]);
    assert.deepEqual(describeUri('https://192.168.1.5:8443/cb'), ['192.168.1.5:8443', false]);
    assert.deepEqual(describeUri('http://127.0.0.1:33418/cb'), ['127.0.0.1', true]);
    assert.deepEqual(describeUri('http://[::1]:33418/cb'), ['[::1]', true]);
    assert.deepEqual(describeUri('https://localhost:3000/cb'), ['localhost', true]);
    assert.deepEqual(describeUri('cursor://anysphere.cursor-mcp/cb'), ['cursor:', true]);
    assert.deepEqual(describeUri('com.example.app:/cb'), ['com.example.app:', true]);
  });
});
