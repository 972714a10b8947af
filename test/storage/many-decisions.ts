import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { decide, type TestPatient, type TestService } from '../harness/service.ts';
import type { DeliveringNodes } from './delivering-nodes.ts';
import type { KillWindow } from './server-node.ts';

export interface Decisions {
  /** Withdrawals of a consent, both acknowledged: ids of their records. */
  withdrawn: string[];
  /** Decisions of which the answer did not come. */
  unknown: number;
}

/** All patients give and withdraw consents, again and again, until that many withdrawals more are acknowledged. */
export async function decideMany(
  { nodes, patients }: Pick<DeliveringNodes, 'nodes' | 'patients'>,
  decisions: Decisions,
  count: number,
): Promise<void> {
  const target = decisions.withdrawn.length + count;

  /** Null: it may have been made or not. */
  async function decideOnce(patient: TestPatient, consentStatus: string): Promise<string | null> {
    const up = nodes.filter((node) => node.isUp);
    const node = up[Math.floor(Math.random() * up.length)];
    if (!node) {
      await sleep(20);
      return null;
    }
    const answer = await decide(node as unknown as TestService, patient, consentStatus).catch(() => null);
    if (answer?.status === 201) return answer.body.consentRecordId as string;
    // Of a node that is being stopped.
    assert.ok(answer === null || answer.status === 503, JSON.stringify(answer));
    decisions.unknown++;
    return null;
  }
  const keepDeciding = async (patient: TestPatient): Promise<void> => {
    while (decisions.withdrawn.length < target) {
      if ((await decideOnce(patient, 'OPTED_IN')) === null) continue;
      const withdrawal = await decideOnce(patient, 'OPTED_OUT');
      if (withdrawal !== null) decisions.withdrawn.push(withdrawal);
    }
  };
  await Promise.all(patients.map(keepDeciding));
}

/**
 * Kills any node, so many times, while so many withdrawals more are acknowledged, each time when a delivery waits for its
 * answer; it is started again at once.
 */
export async function killNodes(
  { nodes, receiver }: Pick<DeliveringNodes, 'nodes' | 'receiver'>,
  { withdrawn }: Decisions,
  { times, withdrawals }: { times: number; withdrawals: number },
): Promise<KillWindow[]> {
  const killed: KillWindow[] = [];
  const starts: Promise<void>[] = [];
  const from = withdrawn.length;
  while (killed.length < times) {
    // Early enough that more is delivered after it.
    const next = from + ((killed.length + Math.random() / 2) * withdrawals) / times;
    while (withdrawn.length < next) await sleep(5);
    await receiver.holdNext();
    const up = nodes.filter((node) => node.isUp);
    const node = up[Math.floor(Math.random() * up.length)];
    if (!node) await sleep(5);
    else {
      killed.push(await node.kill());
      starts.push(node.start());
    }
  }
  await Promise.all(starts);
  return killed;
}
