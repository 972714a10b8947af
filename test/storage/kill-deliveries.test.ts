import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { isLong } from '../harness/long.ts';
import { ENGINES } from '../harness/store.ts';
import * as agree from './assert-deliveries.ts';
import { startDeliveringNodes, type DeliveringNodes } from './delivering-nodes.ts';
import { decideMany, killNodes, type Decisions } from './many-decisions.ts';
import { readStoredDeliveries } from './stored-deliveries.ts';

/** How often nodes are killed, each time while a delivery is under way; 20 kills take about three minutes. */
const KILLS = isLong ? 20 : 1;
const WITHDRAWALS = KILLS * (isLong ? 100 : 20);

/** Withdrawals before the first kill. */
const DECISIONS_BEFORE_KILLS = isLong ? 30 : 8;

describe(
  'webhook deliveries while patients withdraw and endpoints fail at random',
  { concurrency: true },
  () => {
    for (const engine of ENGINES)
      describe(`on ${engine}`, { concurrency: 1 }, () => {
        let host: DeliveringNodes;
        const decisions: Decisions = { withdrawn: [], unknown: 0 };
        before(async () => void (host = await startDeliveringNodes(engine)));
        after(() => host.remove());

        it('are acknowledged once each, also when every node is stopped gracefully', async () => {
          const deciding = decideMany(host, decisions, DECISIONS_BEFORE_KILLS);
          while (decisions.withdrawn.length < DECISIONS_BEFORE_KILLS / 2) await sleep(5);
          for (const node of host.nodes) {
            await node.stop();
            await node.start();
          }
          await deciding;
          await host.waitUntilSettled();
          assert.equal(agree.assertOnlyCrashesRepeat({ ...host, killed: [] }), 0);
        });

        it(`all arrive despite nodes that are killed while they deliver, and the stored state matches what was received`, async (t) => {
          const began = performance.now();
          const [killed] = await Promise.all([
            killNodes(host, decisions, { times: KILLS, withdrawals: WITHDRAWALS }),
            decideMany(host, decisions, WITHDRAWALS),
          ]);
          const decided = performance.now();
          await host.waitUntilSettled();
          const ended = performance.now();
          const stored = await host.inspectStore(readStoredDeliveries);
          const happened = { ...host, stored, killed };
          assert.ok(decisions.withdrawn.length >= DECISIONS_BEFORE_KILLS + WITHDRAWALS);
          agree.assertDecisionsEmitted(stored, decisions.withdrawn);
          agree.assertEventsDelivered(happened);
          agree.assertBodiesMatchEvents(happened);
          const again = agree.assertOnlyCrashesRepeat(happened);
          const cut = agree.assertAttemptsMatch(happened).length;
          for (const { output: said } of host.nodes) assert.equal(said, '');
          const seconds = (ms: number): string => `${(ms / 1000).toFixed(0)} s`;
          t.diagnostic(
            `${engine}: ${decisions.withdrawn.length} acknowledged withdrawals, ${decisions.unknown} decisions without an answer, ${stored.events.length} events, ${stored.attempts.length} attempts kept, ${host.receiver.log.length} received, ${cut} cut off by ${killed.length} kills, ${again} acknowledged again; decided in ${seconds(decided - began)}, all sent after ${seconds(ended - began)}`,
          );
        });
      });
  },
);
