import assert from 'node:assert/strict';
import dgram from 'node:dgram';
import { after, before, describe, it } from 'node:test';
import { createNameResolver } from './resolve-name.ts';

/** RFC 1035 §4: a server that knows `well.example` and denies `unknown.example` and those it was asked about in vain. */
function answerTo(question: Buffer): Buffer {
  const name = nameIn(question);
  const isDenied = name === 'unknown.example' || name.startsWith('hangs');
  const end = 12 + name.length + 2 + 4;
  const type = question.readUInt16BE(end - 4);
  const address = name === 'well.example' && type === 1 ? [192, 0, 2, 7] : [];
  const header = Buffer.from(question.subarray(0, 12));
  header.writeUInt16BE(isDenied ? 0x8183 : 0x8180, 2);
  header.writeUInt16BE(address.length > 0 ? 1 : 0, 6);
  header.writeUInt32BE(0, 8);
  const record = [0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, ...address];
  return Buffer.concat([header, question.subarray(12, end), Buffer.from(address.length > 0 ? record : [])]);
}

function nameIn(question: Buffer): string {
  const labels: string[] = [];
  for (let at = 12; question[at]; at += (question[at] ?? 0) + 1)
    labels.push(question.toString('latin1', at + 1, at + 1 + (question[at] ?? 0)));
  return labels.join('.');
}

describe('the name resolver', () => {
  const server = dgram.createSocket('udp4');
  let servers: string[];
  /** Answers, at last, to the names that were not answered for. */
  const late: (() => void)[] = [];
  before(async () => {
    server.on('message', (question, from) => {
      const answer = (): void => server.send(answerTo(question), from.port, from.address);
      if (nameIn(question).startsWith('hangs')) late.push(answer);
      else answer();
    });
    await new Promise<void>((resolve) => server.bind(0, '127.0.0.1', resolve));
    servers = [`127.0.0.1:${server.address().port}`];
  });
  after(() => server.close());

  const rejectLookup = (): Promise<never> => Promise.reject(new Error('getaddrinfo was asked'));

  it('returns the addresses that the name servers answer', async () => {
    assert.deepEqual(await createNameResolver({ servers, lookup: rejectLookup })('well.example'), [
      { address: '192.0.2.7', family: 4 },
    ]);
  });

  it('asks the operating system for names that the servers do not know, and for names without a dot', async () => {
    const own = [{ address: '10.0.0.1', family: 4 as const }];
    const resolve = createNameResolver({ servers, lookup: async () => own });
    assert.deepEqual(await resolve('unknown.example'), own);
    assert.deepEqual(await resolve('receiver'), own);
  });

  it('answers for one name while the servers do not answer for others', async () => {
    let running = 0;
    let most = 0;
    const lookup = async (): Promise<[]> => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setTimeout(resolve, 20));
      running--;
      return [];
    };
    const resolve = createNameResolver({ servers, lookup, queryOptions: { timeout: 600_000, tries: 1 } });
    const hanging = Promise.all(Array.from({ length: 20 }, (_, index) => resolve(`hangs${index}.example`)));
    let hung = true;
    void hanging.then(() => (hung = false));
    assert.equal((await resolve('well.example')).length, 1);
    assert.equal(hung, true);
    await Promise.all([resolve('unknown.example'), resolve('unknown.example')]);
    assert.equal(most, 1, 'threads of getaddrinfo');
    const answering = setInterval(() => late.splice(0).forEach((answer) => answer()), 5);
    await hanging.finally(() => clearInterval(answering));
    assert.equal(most, 1, 'threads of getaddrinfo');
  });
});
