import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PatientId } from '../../contract/brands.ts';
import { confirmPerson, getPersonKey, isSamePerson } from './same-person.ts';

const id = PatientId.parse('5e0f6f0a-7d0e-4a1c-9a54-2f3d5b8c1e01');
const otherId = PatientId.parse('5e0f6f0a-7d0e-4a1c-9a54-2f3d5b8c1e02');
const jo = { id, email: 'jo@mail.example' };
/** As a node of the version before answers, completed. */
const withoutId = { id: '' as PatientId, email: jo.email };

describe('an account', () => {
  it('is the same one after its address has changed', () => {
    assert.ok(isSamePerson(jo, { id, email: 'jo@new.example' }));
    assert.equal(getPersonKey(jo), getPersonKey({ id, email: 'jo@new.example' }));
  });

  it('is another one that has got the address since', () => {
    assert.ok(!isSamePerson(jo, { id: otherId, email: jo.email }));
    assert.notEqual(getPersonKey(jo), getPersonKey({ id: otherId, email: jo.email }));
  });

  it('is named by its address where a node of the version before has answered', () => {
    assert.ok(isSamePerson(jo, withoutId));
    assert.ok(!isSamePerson(withoutId, { id: otherId, email: 'max@mail.example' }));
    assert.equal(getPersonKey(withoutId), jo.email);
    assert.deepEqual(confirmPerson(withoutId), { confirmedAs: jo.email });
    assert.deepEqual(confirmPerson(jo), { confirmedAs: jo.email, personId: id });
  });
});
