import { fork, type ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { findFreePort } from '../harness/postgres.ts';
import { createTestAuthority } from '../harness/tls/authority.ts';
import type { Arrivals } from './webhook-sink.ts';

export interface Sink {
  url: string;
  /** PEM file. */
  authority: string;
  /** What a service needs to deliver to it. */
  environment: Record<string, string>;
  report(): Promise<Arrivals>;
  until(count: number): Promise<Arrivals>;
  stop(): Promise<unknown>;
}

/** Starts an endpoint that acknowledges, in a process of its own; its certificates lie in `folder`. */
export async function startSink(folder: string): Promise<Sink> {
  const authority = await createTestAuthority();
  const { cert, key } = await authority.issue(['localhost']);
  const files = { authority: authority.cert, cert, key };
  const file = (name: keyof typeof files): string => path.join(folder, `${name}.pem`);
  for (const name of ['authority', 'cert', 'key'] as const) fs.writeFileSync(file(name), files[name]);
  const port = await findFreePort();
  const child: ChildProcess = fork(path.join(import.meta.dirname, 'webhook-sink.ts'), [
    String(port),
    file('cert'),
    file('key'),
  ]);
  const next = <T>(): Promise<T> => new Promise((resolve) => child.once('message', resolve));
  await next();
  const send = (message: 'report' | { count: number }): Promise<Arrivals> => {
    const answer = next<Arrivals>();
    child.send(message);
    return answer;
  };
  return {
    url: `https://localhost:${port}`,
    authority: file('authority'),
    environment: { NODE_EXTRA_CA_CERTS: file('authority'), CHARTGATE_WEBHOOK_ALLOW_PRIVATE: '1' },
    report: () => send('report'),
    until: (count) => send({ count }),
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill();
      return ended;
    },
  };
}
