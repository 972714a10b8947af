import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Refusal } from '../../../kit/http/refusal.ts';
import { explainMissing } from './older-node.ts';

it('an endpoint that a node of the version before lacks is not taken for something that was deleted', () => {
  const missing = new Refusal(404, 'not_found');
  for (const params of [undefined, {}])
    assert.equal((explainMissing(missing, params) as Refusal).code, 'older_node');
  assert.equal(explainMissing(missing, { patientId: 'x' }), missing);
  const refused = new Refusal(403, 'forbidden');
  assert.equal(explainMissing(refused), refused);
});
