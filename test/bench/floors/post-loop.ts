import { readFileSync } from 'node:fs';
import { Pool } from 'undici';

/**
 * The floor under deliveries: undici posting one body over and over, signing nothing, storing nothing.
 * `node post-loop.ts URL COUNT CONNECTIONS CERTIFICATE BODY`; prints the seconds it took.
 */
const [, , url = '', count, connections, ca = '', body = ''] = process.argv;
const { origin, pathname } = new URL(url);
const pool = new Pool(origin, { connections: Number(connections), connect: { ca: readFileSync(ca) } });
const headers = { 'content-type': 'application/json' };
let left = Number(count);

async function post(): Promise<void> {
  while (left-- > 0) {
    const answer = await pool.request({ path: pathname, method: 'POST', headers, body });
    await answer.body.dump();
  }
}

const start = performance.now();
await Promise.all(Array.from({ length: Number(connections) }, post));
process.stdout.write(String((performance.now() - start) / 1000));
await pool.close();
