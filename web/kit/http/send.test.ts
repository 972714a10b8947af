import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { it } from 'node:test';
import { createAnswerCache } from './answer-cache.ts';
import { send } from './send.ts';

it('asks by the ETag of the answer before, and has that answer again when it is the same', async (t) => {
  let version = 1;
  const asked: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    const etag = `W/"${version}"`;
    asked.push(request.headers['if-none-match']);
    response.statusCode = request.headers['if-none-match'] === etag ? 304 : 200;
    response.setHeader('etag', etag).end(response.statusCode === 304 ? '' : JSON.stringify({ version }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/list`;
  const answers = createAnswerCache();
  const first = await send(url, { method: 'GET', answers });
  assert.equal(await send(url, { method: 'GET', answers }), first);
  version = 2;
  assert.deepEqual(await send(url, { method: 'GET', answers }), { version: 2 });
  assert.deepEqual(asked, [undefined, 'W/"1"', 'W/"1"']);
});

it('keeps the newest answers only', () => {
  const answers = createAnswerCache();
  for (let index = 0; index < 31; index++) answers.set(`/${index}`, { etag: '"a"', body: index });
  assert.equal(answers.get('/0'), undefined);
  assert.equal(answers.get('/30')?.body, 30);
});
