import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Conversion } from '../converter.ts';
import { DocumentError } from '../converter.ts';
import { createDocumentProcessPool } from './document-process-pool.ts';

const FAILING = new URL('../../test/harness/failing-converters.ts', import.meta.url);
const ENDLESS = new Set(['loop', 'wait']);
const ID = '11111111-1111-8111-8111-111111111111';

/** A process that ended and that nobody waits for is a zombie: where there is /proc, it says so. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

describe('a document process', () => {
  const processes = createDocumentProcessPool({
    modules: FAILING,
    limits: { convertMs: 600_000, heapMb: 192, memory: 160 * 1024 * 1024 },
  });
  /** For documents that never end; on a busy machine those that eat memory may need longer than that. */
  const hasty = createDocumentProcessPool({ modules: FAILING, limits: { convertMs: 1_000 } });
  after(() => Promise.all([processes.close(), hasty.close()]));

  const convert = (text: string): Promise<Conversion> =>
    (ENDLESS.has(text) ? hasty : processes).convert({
      bytes: Buffer.from(text),
      path: 'a.txt',
      documentId: ID,
    });
  const readProcess = async (text: string): Promise<string> => {
    const [resource] = (await convert(text)).resources;
    return (JSON.parse(resource?.text ?? '{}') as { description: string }).description;
  };
  const refusal = async (text: string): Promise<string> => {
    const error: unknown = await convert(text).then(
      () => 'was read',
      (thrown: unknown) => thrown,
    );
    assert.ok(error instanceof DocumentError, `${text}: ${String(error)}`);
    assert.ok(!error.message.includes('words of a document'));
    return error.code;
  };

  it('is reused for the next document', async () => {
    assert.equal(await readProcess('one'), await readProcess('two'));
  });

  it('reads two documents at once in two processes, and a third when one of them is done', async () => {
    const [, second, third] = await Promise.all(['sleep 300', 'second', 'third'].map(convert));
    assert.equal(
      second?.resources[0]?.text.replaceAll(/process \d+|"data":"[^"]*"/g, ''),
      third?.resources[0]?.text.replaceAll(/process \d+|"data":"[^"]*"/g, ''),
    );
    const both = await Promise.all(['one', 'two'].map(readProcess));
    assert.equal(new Set(both).size, 2);
  });

  for (const [word, code] of [
    ['objects', 'document_too_large'],
    ['strings', 'document_too_large'],
    ['buffers', 'document_too_large'],
    ['doubled', 'document_too_large'],
    ['later', 'document_unreadable'],
    ['exit', 'document_unreadable'],
  ] as const) {
    it(`dies with a document that says "${word}", and the next one is read by another`, async () => {
      const before = await readProcess('before');
      assert.equal(await refusal(word), code);
      assert.notEqual(await readProcess('after'), before);
    });
  }

  for (const word of ENDLESS) {
    it(`is ended over a document that says "${word}", and the next one is read by another`, async () => {
      assert.equal(await refusal(word), 'document_too_complex');
      const fine = { bytes: Buffer.from('fine'), path: 'a.txt', documentId: ID };
      assert.equal((await hasty.convert(fine)).resources.length, 1);
    });
  }

  for (const [words, code] of [
    ['throw', 'document_unreadable'],
    ['readFile', 'document_unreadable'],
    ['writeFile', 'document_unreadable'],
    ['environment', 'nothing'],
    ['refuse', 'no_words'],
    ['deep 1000000', 'document_too_complex'],
    ['many 50001', 'document_too_large'],
  ] as const) {
    it(`outlives a document that says "${words}"`, async () => {
      const before = await readProcess('before');
      assert.equal(await refusal(words), code);
      assert.equal(await readProcess('after'), before);
    });
  }

  it('fails only its own document when two die at once', async () => {
    const codes = await Promise.all(['loop', 'objects', 'refuse', 'exit', 'throw'].map(refusal));
    assert.deepEqual(codes, [
      'document_too_complex',
      'document_too_large',
      'no_words',
      'document_unreadable',
      'document_unreadable',
    ]);
    assert.equal((await convert('fine')).resources.length, 1);
  });

  it('case 196: is ended over its document when the service stops, and the next one is read by another', async () => {
    const stop = new AbortController();
    const document = { bytes: Buffer.from('loop'), path: 'a.txt', documentId: ID };
    const endless = processes.convert(document, { signal: stop.signal });
    setImmediate(() => stop.abort(new Error('the service stops')));
    await assert.rejects(endless, /the service stops/);
    assert.equal((await convert('fine')).resources.length, 1);
  });

  it('is ended at the time that its caller has left, and reports the documents over which it died', async () => {
    let deaths = 0;
    const options = { maxMs: 200, onDeath: () => void deaths++ };
    const read = (text: string): Promise<unknown> =>
      processes.convert({ bytes: Buffer.from(text), path: 'a.txt', documentId: ID }, options);
    await assert.rejects(read('loop'), { code: 'document_too_complex' });
    assert.equal(deaths, 1);
    await assert.rejects(
      processes.convert(
        { bytes: Buffer.from('refuse'), path: 'a.txt', documentId: ID },
        { onDeath: options.onDeath },
      ),
      { code: 'no_words' },
    );
    assert.equal(deaths, 1);
    assert.equal(await processes.extractText(Buffer.from('exit'), { onDeath: options.onDeath }), null);
    assert.equal(deaths, 2);
  });

  it('returns the text of a document, and null for one that it cannot read', async () => {
    assert.deepEqual(await processes.extractText(Buffer.from('some words')), {
      text: 'some words',
      besides: [],
      isComplete: true,
      patients: [],
    });
    assert.equal(await hasty.extractText(Buffer.from('loop')), null);
    assert.equal(await processes.extractText(Buffer.from([0, 1, 2, 3])), null);
  });
});

describe('a document that takes long', () => {
  const processes = createDocumentProcessPool({ modules: FAILING, limits: { slowMs: 100, processes: 1 } });
  after(() => processes.close());
  const convert = (text: string, signal?: AbortSignal): Promise<Conversion> =>
    processes.convert({ bytes: Buffer.from(text), path: 'a.txt', documentId: ID }, signal && { signal });
  const readProcess = async (text: string): Promise<string | undefined> =>
    /process \d+/.exec((await convert(text)).resources[0]?.text ?? '')?.[0];

  it('yields to others: the priority of its process is lowered', { skip: !existsSync('/proc') }, async () => {
    const stop = new AbortController();
    const endless = convert('wait', stop.signal);
    const findSlow = (): boolean =>
      listChildren().some((pid) => {
        try {
          return getPriority(pid) === 15;
        } catch {
          return false; // It has ended meanwhile.
        }
      });
    while (!findSlow()) await sleep(10);
    stop.abort(new Error('enough'));
    await assert.rejects(endless, /enough/);
  });

  it('is read to its end, and the next one by another process', async () => {
    const before = await readProcess('before');
    assert.deepEqual((await convert('sleep 300')).resources, []);
    assert.notEqual(await readProcess('after'), before);
  });
});

/** The processes whose parent is this one. */
const listChildren = (): number[] =>
  readdirSync('/proc').flatMap((name) => {
    try {
      const [, parent] = /^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${name}/status`, 'utf8')) ?? [];
      return Number(parent) === process.pid ? [Number(name)] : [];
    } catch {
      return [];
    }
  });

describe('the process of the service', () => {
  it('case 196: takes the document processes with it when it is killed', async () => {
    const script = `
      const { createDocumentProcessPool } = await import(${JSON.stringify(new URL('./document-process-pool.ts', import.meta.url).href)});
      const processes = createDocumentProcessPool({ modules: new URL(${JSON.stringify(FAILING.href)}), limits: { convertMs: 600000 } });
      const read = (text) => processes.convert({ bytes: Buffer.from(text), path: 'a.txt', documentId: 'x' });
      const { resources } = await read('fine');
      const endless = read('loop');
      console.log(JSON.parse(resources[0].text).description);
      await endless;`;
    const service = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [output] = (await once(service.stdout, 'data')) as [Buffer];
    const pid = Number(/process (\d+)/.exec(output.toString())?.[1]);
    service.kill('SIGKILL');
    while (isRunning(pid)) await sleep(10);
  });

  it('exits although document processes are idle', () => {
    const script = `
      const { createDocumentProcessPool } = await import(${JSON.stringify(new URL('./document-process-pool.ts', import.meta.url).href)});
      const processes = createDocumentProcessPool({ modules: new URL(${JSON.stringify(FAILING.href)}), limits: { idleMs: 600000 } });
      const document = { bytes: Buffer.from('fine'), path: 'a.txt', documentId: 'x' };
      const both = await Promise.all([processes.convert(document), processes.convert(document)]);
      console.log(both.length);`;
    const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      encoding: 'utf8',
      timeout: 60_000,
    });
    assert.deepEqual({ status, stdout: stdout.trim() }, { status: 0, stdout: '2' }, stderr);
  });
});
