import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { definePath } from './paths.ts';

describe('a hash path', () => {
  const path = definePath('/projects/{projectId}/patients/{patientId}');

  it('builds a fragment that it matches, whatever the parameters hold', () => {
    for (const params of [
      { projectId: 'p1', patientId: 'a' },
      { projectId: 'a/b?c#d', patientId: 'é %25 {x}' },
    ])
      assert.deepEqual(path.match(path.build(params)), params);
  });

  it('matches with a query or a slash at the end', () => {
    const params = { projectId: 'a', patientId: 'b' };
    for (const end of ['', '/', '?x=1', '/?x=/y'])
      assert.deepEqual(path.match(`#/projects/a/patients/b${end}`), params);
  });

  it('matches no other fragment', () => {
    for (const fragment of [
      '',
      '#',
      '#/',
      '#/projects/a/patients',
      '#/projects//patients/b',
      '#/projects/a/patients/b/c',
      '#/project/a/patients/b',
      '#/projects/%zz/patients/b',
    ])
      assert.equal(path.match(fragment), null, fragment);
  });

  it('has a fragment of its own without parameters', () => {
    const home = definePath('/my-data');
    assert.equal(home.build({}), '#/my-data');
    assert.deepEqual(home.match('#/my-data/'), {});
  });
});
