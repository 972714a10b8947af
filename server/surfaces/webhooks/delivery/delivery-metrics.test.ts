import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Registry } from 'prom-client';
import { AttemptFault } from '../../../../contract/webhooks/webhook-deliveries.ts';
import { createDeliveryMetrics } from './delivery-metrics.ts';

describe('the metrics of webhook deliveries', () => {
  it('count attempts by outcome and time only first attempts', async () => {
    const registry = new Registry();
    const { onAttempt } = createDeliveryMetrics(registry);
    onAttempt('delivered', 0.02);
    onAttempt('delivered', null);
    onAttempt('deadline', 12);
    const text = await registry.metrics();
    assert.match(text, /^chartgate_webhook_attempts_total\{outcome="delivered"\} 2$/m);
    assert.match(text, /^chartgate_webhook_attempts_total\{outcome="deadline"\} 1$/m);
    assert.match(text, /^chartgate_webhook_first_attempt_seconds_bucket\{le="0.01"\} 0$/m);
    assert.match(text, /^chartgate_webhook_first_attempt_seconds_bucket\{le="0.025"\} 1$/m);
    assert.match(text, /^chartgate_webhook_first_attempt_seconds_count 2$/m);
  });

  it('have no label but the outcome', async () => {
    const registry = new Registry();
    const { onAttempt } = createDeliveryMetrics(registry);
    for (const fault of AttemptFault.options) onAttempt(fault, null);
    const labels = [...(await registry.metrics()).matchAll(/[{,](\w+)="/g)].map(([, name]) => name as string);
    assert.deepEqual(new Set(labels), new Set(['outcome', 'le']));
  });
});
