import http from 'node:http';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import {
  beginRequest,
  buildAuthorizeParameters,
  createBrowser,
  createUser,
  decideRequest,
  exchangeCode,
  newVerifier,
  obtainCode,
  refresh,
  sendScreens,
  type BegunRequest,
  type Person,
  type Target,
  type User,
} from './oauth-load-client.ts';
import { createPng } from '../harness/evidence.ts';

/** What all users do at once: one after the other for so many seconds, or a step of so many requests of each. */
export type Operation = 'refresh' | 'flow' | 'evidence';
export type Step = 'begin' | 'picture' | 'finish';

/** A person keeps eight drafts of decisions at most. */
const REQUESTS_A_STEP = 8;

export interface Load {
  target: Target;
  /** One a user; undefined where nobody signs in. */
  people: (Person | undefined)[];
}

export interface Round {
  operations: number;
  seconds: number;
  p50: number;
  p99: number;
  /** Questions of the page until the records were there. */
  polls: number;
}

export interface LoadThread {
  run(operation: Operation, seconds: number): Promise<Round>;
  /** Begins requests, adds the pictures that their decisions name, or decides and fetches the tokens. */
  step(step: Step): Promise<Round>;
  stop(): Promise<void>;
}

/** Users in a thread of their own, so that counting does not take from what is counted; each does one thing after the other. */
export async function startLoad(load: Load): Promise<LoadThread> {
  const worker = new Worker(new URL(import.meta.url), { workerData: load });
  const next = () =>
    new Promise<unknown>((resolve, reject) => {
      worker.once('error', reject);
      worker.once('message', (message) => {
        worker.off('error', reject);
        resolve(message);
      });
    });
  await next();
  return {
    async run(operation, seconds) {
      worker.postMessage({ operation, seconds });
      return (await next()) as Round;
    },
    async step(step) {
      worker.postMessage({ operation: step, seconds: null });
      return (await next()) as Round;
    },
    stop: async () => void (await worker.terminate()),
  };
}

/** A phone's screen of 200 kB: one byte in 170 is noise. */
function createLargeImage(): string {
  let seed = 1;
  const pixel = (): number => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) | 0;
    return (seed >>> 16) % 170 === 0 ? seed >>> 24 : 0xee;
  };
  return createPng(1170, 2532, pixel).toString('base64');
}
const LARGE = createLargeImage();

interface ActiveUser extends User {
  refreshToken: string;
  requests: (BegunRequest & { verifier: string })[];
}

async function serve({ target, people }: Load): Promise<void> {
  let agent = new http.Agent();
  // Connections of a round are kept for it and no longer: a server closes idle ones.
  const renew = (): void => {
    agent.destroy();
    agent = new http.Agent({ keepAlive: true, maxSockets: people.length });
  };
  renew();
  const users: ActiveUser[] = await Promise.all(
    people.map(async (person) => {
      const user = await createUser(
        createBrowser(target.url, () => agent),
        person,
      );
      const { refresh_token } = await flow(user, target);
      return { ...user, refreshToken: refresh_token, requests: [] };
    }),
  );
  const work = {
    async refresh(user: ActiveUser) {
      user.refreshToken = await refresh(user, target, user.refreshToken);
      return 0;
    },
    flow: async (user: ActiveUser) => (await flow(user, target)).polls,
    evidence: async (user: ActiveUser) => (await flow({ ...user, image: LARGE }, target)).polls,
  };
  const steps: Record<Step, (user: ActiveUser, turn: number) => Promise<number>> = {
    async begin(user) {
      const verifier = newVerifier();
      const request = await beginRequest(user, buildAuthorizeParameters(target, verifier));
      user.requests.push({ ...request, verifier });
      return 0;
    },
    async picture(user, turn) {
      await sendScreens(user, target, user.requests[turn] as BegunRequest);
      return 0;
    },
    async finish(user) {
      const { verifier, ...request } = user.requests.shift() as ActiveUser['requests'][number];
      const { code, polls } = await decideRequest(user, target, request);
      await exchangeCode(user, target, { code, verifier });
      return polls;
    },
  };
  parentPort?.on('message', ({ operation, seconds }: Order) => {
    renew();
    const round =
      seconds === null
        ? measure(users, steps[operation], { turns: REQUESTS_A_STEP })
        : measure(users, work[operation], { seconds });
    void round.then((measured) => parentPort?.postMessage(measured));
  });
  parentPort?.postMessage('ready');
}

type Order = { operation: Operation; seconds: number } | { operation: Step; seconds: null };

async function flow(user: User, target: Target): Promise<{ refresh_token: string; polls: number }> {
  const verifier = newVerifier();
  const { code, polls } = await obtainCode(user, target, buildAuthorizeParameters(target, verifier));
  return { ...(await exchangeCode(user, target, { code, verifier })), polls };
}

async function measure(
  users: ActiveUser[],
  work: (user: ActiveUser, turn: number) => Promise<number>,
  until: { seconds: number } | { turns: number },
): Promise<Round> {
  const durations: number[] = [];
  let polls = 0;
  const start = performance.now();
  const isOver = (turn: number, now: number): boolean =>
    'turns' in until ? turn === until.turns : now >= start + until.seconds * 1000;
  await Promise.all(
    users.map(async (user) => {
      for (let turn = 0, began = start; !isOver(turn, began); turn++) {
        polls += await work(user, turn);
        const now = performance.now();
        durations.push(now - began);
        began = now;
      }
    }),
  );
  durations.sort((one, other) => one - other);
  const at = (share: number): number => durations[Math.floor(durations.length * share)] ?? 0;
  const elapsed = (performance.now() - start) / 1000;
  return { operations: durations.length, seconds: elapsed, p50: at(0.5), p99: at(0.99), polls };
}

if (!isMainThread) await serve(workerData as Load);
