import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { configureCommand } from './harness/cli.ts';
import { ROOT } from './harness/process.ts';
import { startTestService, type TestService } from './harness/service.ts';
import { PROGRAM } from './harness/program.ts';

const run = promisify(execFile);
const PAGES = fs.globSync(['README.md', 'docs/*.md', 'docs/start/*.md'], { cwd: ROOT }).sort();

interface Block {
  page: string;
  text: string;
}

const blocks = PAGES.flatMap((page): Block[] =>
  [...fs.readFileSync(path.join(ROOT, page), 'utf8').matchAll(/^```sh\n([^]*?)^```/gm)].map(
    ([, text = '']) => ({
      page,
      text,
    }),
  ),
);

const findBlock = (page: string, part: string): string => {
  const found = blocks.find((block) => block.page === page && block.text.includes(part));
  assert.ok(found, `${page} has no commands with ${part}`);
  return found.text;
};

/** Blocks that the journey below runs, in its order. */
const JOURNEY: readonly [page: string, part: string][] = [
  ['README.md', 'jq .admin init.json'],
  ['docs/start/agent-builders.md', 'get_health_summary'],
  ['docs/start/partners.md', 'apiSecret'],
  ['docs/consent.md', 'consentTypes'],
  ['docs/consent.md', 'receipt verify evidence.zip'],
  ['docs/consent.md', 'openssl dgst'],
  ['docs/consent.md', 'receipt verify consent-receipt.jws'],
];

/** Commands that run elsewhere, or cannot run where tests do, by how they begin. */
const OTHERS: readonly [begins: string, why: string][] = [
  ['npm run demo', 'test/cli.test.ts'],
  ['npm start', 'test/cli.test.ts starts what it starts'],
  ['npm pack', 'test/release.test.ts lists and runs what it packs'],
  ['npm test', 'is running'],
  ['npm run check', 'is the other half of CI'],
  ['npm run bench', 'measures; test/bench'],
  ['npm run docs', 'test/documentation.test.ts compares what it writes'],
  ['npm run -s cli -- listen', 'cli/commands/listen.test.ts'],
  ['git clone', 'how the files come here'],
  ['git worktree add', 'takes a version from long ago, for a comparison by hand'],
  ['CHARTGATE_BENCH_BEFORE', 'as npm run bench'],
  ['npx file:', 'needs a registry for the dependencies; test/release.test.ts runs the files'],
  ['openssl rand', 'random bytes; test/journeys/sealed-secrets.test.ts seals by a key of that form'],
  ['export CHARTGATE_SECRETS_KEY_FILE', 'server/settings.ts reads every variable from a file so'],
  ['useradd', 'systemd and root: deploy/chartgate.service'],
  ['mkdir /opt', 'as useradd'],
  ['cd /opt', 'as useradd'],
  ['install -m', 'as useradd'],
  ['cp deploy/chartgate.service', 'as useradd'],
  ['chartgate() { systemd-run', 'needs systemd; it runs the command as the unit runs the service'],
  ['systemctl', 'as above'],
  ['chartgate init', 'as above; test/cli.test.ts'],
  ['docker compose', 'needs a container engine; test/release.test.ts compares the files with the program'],
  ["printf 'CHARTGATE_DOMAIN", 'settings of docker compose'],
  ['kubectl', 'needs a cluster; test/release.test.ts compares the manifests with the program'],
  ['claude mcp add', 'needs that agent; test/conformance runs the official client'],
  ['json() {', 'docs/webhooks.md: needs a receiver on the internet; test/journeys/webhooks.test.ts'],
  ['json ', 'as above'],
  ['key=$(printf', 'test/webhook-documentation.test.ts'],
  ['{ printf', 'test/webhook-documentation.test.ts'],
];

/** Lines of a block that begin a command: neither what continues one, nor what is inside its quotation marks. */
function listCommands(text: string): string[] {
  const commands: string[] = [];
  let open = '';
  for (const line of text.split('\n')) {
    const whole = open === '' ? line : `${open}\n${line}`;
    const quotes = whole.replace(/"[^"']*"/g, '').split("'").length - 1;
    open = quotes % 2 === 1 || /(\\|\|)\s*$/.test(line) ? whole : '';
    if (open === '' && whole.trim() !== '') commands.push(whole.trim());
  }
  return commands;
}

/** Checks that a command line of ours names a command and options that there are. */
async function assertChartgate(line: string, page: string): Promise<void> {
  const words = line
    .replace(/\s+#.*$/, '')
    .replace(/^.*?npx chartgate /, '')
    .split(/\s+/);
  const [first = '', second = ''] = words;
  const own = await configureCommand(first);
  const name = own.commands.some((sub) => sub.name() === second) ? `${first} ${second}` : first;
  const { options } = await configureCommand(name);
  const unknown = words
    .filter((word) => word.startsWith('--'))
    .filter((word) => !options.some(({ long }) => long === word));
  assert.deepEqual(unknown, [], `${page}: ${line}`);
}

const TOOLS = ['curl', 'jq', 'openssl', 'sha256sum', 'unzip'];

const isInstalled = (program: string): boolean => spawnSync(program, ['--help']).error === undefined;

describe('the commands of the documentation', () => {
  let service: TestService;
  let folder = '';
  before(async () => {
    service = await startTestService();
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'chartgate-commands-'));
  });
  after(async () => {
    await service.stop();
    fs.rmSync(folder, { recursive: true, force: true });
  });

  it('are known, each of them: run by a test, or named with the reason why not', async () => {
    const inJourney = JOURNEY.map(([page, part]) => findBlock(page, part));
    let count = 0;
    for (const { page, text } of blocks.filter((block) => !inJourney.includes(block.text)))
      for (const command of listCommands(text)) {
        count++;
        if (command.includes('npx chartgate ')) await assertChartgate(command, page);
        else
          assert.ok(
            OTHERS.some(([begins]) => command.startsWith(begins)),
            `${page}: ${command}`,
          );
      }
    assert.ok(count > 30);
  });

  it(
    'work as they are written, from an API key to a verified receipt',
    { skip: TOOLS.every(isInstalled) ? false : `needs ${TOOLS.join(', ')}` },
    async () => {
      const { organizationId, projectId, admin } = service.organization;
      fs.writeFileSync(
        path.join(folder, 'init.json'),
        JSON.stringify({
          organizationId,
          projectId,
          admin: { apiKey: admin.apiKey, apiSecret: admin.apiSecret },
        }),
      );
      const written = JOURNEY.map(([page, part]) => findBlock(page, part)).join('\necho "--"\n');
      const script = written
        .replaceAll('http://127.0.0.1:3000', service.baseUrl)
        .replace(
          '"apiKey": "…", "apiSecret": "…"',
          `"apiKey": "${admin.apiKey}", "apiSecret": "${admin.apiSecret}"`,
        )
        .replace('--years 10', '--years 1');
      const cli = `${process.execPath} ${PROGRAM}`;
      const { stdout } = await run('sh', ['-euc', `npx() { shift; ${cli} "$@"; }\n${script}`], {
        cwd: folder,
      });
      const [readme = '', agent = '', , consentTypes = '', evidence = '', byHand = '', receipt = ''] =
        stdout.split('--\n');
      assert.match(readme, /# .*[Ll]ab/);
      assert.equal((JSON.parse(agent) as { result: { isError?: boolean } }).result.isError ?? false, false);
      assert.match(consentTypes, /FUTURE_DATA_USE/);
      assert.match(evidence, /^All \d+ files are as http/);
      assert.match(byHand, /those that were signed\nnone was added\nVerified OK\n/);
      assert.match(receipt, /valid|genuine|verified/i);
    },
  );
});
