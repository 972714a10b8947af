import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { VERSION } from '../contract/version.ts';
import type { CreatedOrganization } from '../server/identity/members/create-organization.ts';
import { SETTINGS } from '../server/settings.ts';
import { createArchive } from './harness/archive.ts';
import { findFreePort } from './harness/postgres.ts';
import { buildProcessEnvironment } from './harness/process.ts';
import { callTool, getToolText, newTestPatient, upload, type TestService } from './harness/service.ts';

const run = promisify(execFile);
const ROOT = path.resolve(import.meta.dirname, '..');
const read = (file: string): string => fs.readFileSync(path.join(ROOT, file), 'utf8');
const { dependencies, version } = JSON.parse(read('package.json')) as {
  dependencies: Record<string, string>;
  version: string;
};

/** What `npm pack` packs, without packing it. */
async function listPackedFiles(): Promise<string[]> {
  const { stdout } = await run('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { cwd: ROOT });
  const [{ files }] = JSON.parse(stdout) as [{ files: { path: string }[] }];
  return files.map((file) => file.path);
}

/** One of each kind that is read by a program of its own. */
const DOCUMENTS = {
  'letter.html': '<html><body><p>A letter.</p></body></html>',
  'letter.rtf': '{\\rtf1\\ansi A letter.}',
  'condition.json': {
    resourceType: 'Condition',
    id: 'c',
    code: { text: 'Hypertension' },
    subject: { reference: 'Patient/p' },
  },
  'observation.xml':
    '<Observation xmlns="http://hl7.org/fhir"><id value="o"/><status value="final"/><code><text value="Pulse"/></code></Observation>',
};

/** URLs that are not well-formed, and the content type of the dialect that says so. */
const MALFORMED = [
  ['/v1/patients/%ff/consents', 'application/problem+json'],
  ['/FHIR/R4/Person/%ff/$everything', 'application/fhir+json'],
  ['/oauth/authorize?state=%ff', 'application/json'],
] as const;

/** Statements, calls of import, and addresses beside a file; formatted, so that each begins its line. */
const IMPORTS = [/^(?:import .*|\} )from '([^']+)';$/gm, /^import '([^']+)';$/gm, /\bimport\('([^']+)'\)/g];
const ADDRESS = /\bnew URL\('([^'$]+\.[a-z]+)', import\.meta\.url\)/g;

const matchAll = (file: string, patterns: readonly RegExp[]): string[] =>
  patterns.flatMap((pattern) => [...read(file).matchAll(pattern)].map(([, name]) => name as string));

const isCode = (file: string): boolean => /\.(ts|mjs)$/.test(file) && !file.startsWith('web/');

describe('the release that npm packs', () => {
  let packed: string[] = [];
  let folder = '';
  before(async () => {
    await run(process.execPath, [path.join(ROOT, 'tools/install-program.mjs')]);
    packed = await listPackedFiles();
    // Where npm would put it, with the dependencies beside it.
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'chartgate-release-'));
    const target = path.join(folder, 'node_modules/chartgate');
    for (const file of packed) {
      fs.mkdirSync(path.dirname(path.join(target, file)), { recursive: true });
      fs.copyFileSync(path.join(ROOT, file), path.join(target, file));
    }
    fs.symlinkSync(path.join(ROOT, 'node_modules'), path.join(target, 'node_modules'));
  });
  after(() => fs.rmSync(folder, { recursive: true, force: true }));

  it('holds each file that one of its files imports, the pages as they are built, and no test', () => {
    const files = new Set(packed);
    const missing = packed.filter(isCode).flatMap((file) =>
      [...matchAll(file, IMPORTS).filter((name) => name.startsWith('.')), ...matchAll(file, [ADDRESS])]
        .map((name) => path.posix.join(path.posix.dirname(file), name))
        .filter((name) => !files.has(name))
        .map((name) => `${file}: ${name}`),
    );
    assert.deepEqual(missing, []);
    for (const page of [
      'consent/dist/index.html',
      'console/dist/index.html',
      'portal/dist/main.js',
      'preview/dist/index.html',
      'docs/dist/home/es.html',
    ])
      assert.ok(files.has(`web/${page}`), page);
    assert.deepEqual(
      packed.filter((file) => file.startsWith('test/') || file.includes('.test.')),
      [],
    );
  });

  it('says its version everywhere as package.json does', () => assert.equal(VERSION, version));

  it('imports no package but its dependencies', () => {
    const foreign = packed.filter(isCode).flatMap((file) =>
      matchAll(file, IMPORTS)
        .filter((name) => !name.startsWith('.') && !name.startsWith('node:'))
        .map((name) => name.split('/', name.startsWith('@') ? 2 : 1).join('/'))
        .filter((name) => !Object.hasOwn(dependencies, name))
        .map((name) => `${file}: ${name}`),
    );
    assert.deepEqual(foreign, []);
  });

  it('runs from a folder named node_modules', async () => {
    const target = path.join(folder, 'node_modules/chartgate');
    const archive = path.join(folder, 'record.zip');
    const command = ['generate-record', '--seed', '1', '--years', '1', '--out', archive, '--json'];
    const { stdout } = await run(process.execPath, [path.join(target, 'cli/chartgate.mjs'), ...command]);
    assert.ok((JSON.parse(stdout) as { resources: number }).resources > 0);
  });

  it('serves from there on the embedded store: reads an upload of documents, answers a search, shows its pages', async () => {
    const port = await findFreePort();
    const settings = { PORT: String(port), CHARTGATE_DATA_DIR: path.join(folder, 'data') };
    const program = path.join(folder, 'node_modules/chartgate/dist/chartgate.js');
    const environment = { ...buildProcessEnvironment(), ...settings };
    const init = ['init', '--organization', 'A Clinic', '--project', 'A Project', '--json'];
    const { stdout } = await run(process.execPath, [program, ...init], { env: environment });
    const baseUrl = `http://127.0.0.1:${port}`;
    const service = { baseUrl, organization: JSON.parse(stdout) as CreatedOrganization } as TestService;
    const server = spawn(process.execPath, [program, 'serve'], { env: environment, stdio: 'ignore' });
    const ended = once(server, 'exit');
    try {
      while (!(await fetch(`${baseUrl}/readyz`).catch(() => null))?.ok) {
        assert.equal(server.exitCode, null, 'the server has ended');
        await sleep(50);
      }
      const patient = await newTestPatient(service);
      const batch = await upload(service, patient, await createArchive(DOCUMENTS));
      assert.equal(batch.status, 'completed', JSON.stringify(batch));
      const answer = await callTool(service, patient, 'search', { query: 'high blood pressure' });
      assert.match(getToolText(answer), /Hypertension/);
      for (const page of ['/console', '/consent/', '/consent/portal/main.js', '/docs/'])
        assert.equal((await fetch(`${baseUrl}${page}`)).status, 200, page);
      // Attack case 371: what is there for an error alone is kept by the bundler.
      for (const [url, type] of MALFORMED) {
        const refused = await fetch(`${baseUrl}${url}`, { redirect: 'manual' });
        assert.equal(refused.status, 400, url);
        assert.equal(refused.headers.get('content-type'), `${type}; charset=utf-8`);
        assert.match(await refused.text(), /not well-formed|malformed percent-encoding/, url);
      }
    } finally {
      server.kill('SIGTERM');
      assert.deepEqual(await ended, [0, null]);
    }
  });
});

const MANIFESTS = fs
  .readdirSync(path.join(ROOT, 'deploy/kubernetes'))
  .map((name) => `deploy/kubernetes/${name}`);
const COMPOSE = ['compose.yaml', 'deploy/compose.embedded.yaml'];

interface Container {
  image: string;
  ports: { name: string; containerPort: number }[];
}

describe('the files to deploy with', () => {
  it('set nothing that is no setting', () => {
    // What compose.yaml itself asks for, and what Caddy reads.
    const others = new Set(['CHARTGATE_DOMAIN', 'CHARTGATE_UPSTREAM', 'POSTGRES_PASSWORD']);
    const files = ['Dockerfile', 'deploy/chartgate.service', 'deploy/nginx.conf', 'deploy/Caddyfile'];
    const unknown = [...files, ...COMPOSE, ...MANIFESTS].flatMap((file) =>
      [...read(file).matchAll(/\b(?:CHARTGATE_[A-Z_]+|DATABASE_URL|SMTP_URL)\b/g)]
        .map(([name]) => name)
        .filter((name) => !Object.hasOwn(SETTINGS, name) && !others.has(name))
        .map((name) => `${file}: ${name}`),
    );
    assert.deepEqual(unknown, []);
  });

  it('name the image by the version of the program, and its ports as it listens', () => {
    for (const file of COMPOSE) {
      const { services } = parse(read(file)) as { services: { chartgate: Container } };
      assert.equal(services.chartgate.image, `chartgate:${version}`, file);
    }
    const deployment = parse(read('deploy/kubernetes/deployment.yaml')) as {
      spec: { template: { spec: { containers: [Container] } } };
    };
    const [container] = deployment.spec.template.spec.containers;
    assert.equal(container.image, `chartgate:${version}`);
    const settings = parse(read('deploy/kubernetes/settings.yaml')) as {
      data: { CHARTGATE_METRICS_PORT: string };
    };
    assert.deepEqual(
      Object.fromEntries(container.ports.map((port) => [port.name, String(port.containerPort)])),
      {
        http: /^ +PORT=(\d+)/m.exec(read('Dockerfile'))?.[1],
        metrics: settings.data.CHARTGATE_METRICS_PORT,
      },
    );
  });

  it('list every manifest', () => {
    const { resources } = parse(read('deploy/kubernetes/kustomization.yaml')) as { resources: string[] };
    const others = MANIFESTS.map((file) => path.basename(file)).filter(
      (name) => name !== 'kustomization.yaml',
    );
    assert.deepEqual(resources.toSorted(), others.toSorted());
  });
});
