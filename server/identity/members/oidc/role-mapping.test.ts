import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findMappedRole, parseRoleMapping, type RoleMapping } from './role-mapping.ts';

const mapping = parseRoleMapping(
  'groups; CN=Owners,OU=Clinic=owner ; research=researcher; all=auditor;',
) as RoleMapping;

describe('the mapping of groups to roles', () => {
  it('takes the first rule whose group a person has', () => {
    for (const [groups, role] of [
      [['all', 'CN=Owners,OU=Clinic'], 'owner'],
      [['all', 'research'], 'researcher'],
      ['all', 'auditor'],
      [['Research', 'owner', 'researcher'], null],
      [[], null],
      [{ all: true }, null],
      [undefined, null],
    ] as const)
      assert.equal(findMappedRole(mapping, { groups }), role, JSON.stringify(groups));
  });

  it('finds a claim by its whole name, or nested, and nothing that every object has', () => {
    const nested = parseRoleMapping('realm_access.roles; staff=admin') as RoleMapping;
    assert.equal(findMappedRole(nested, { realm_access: { roles: ['staff'] } }), 'admin');
    assert.equal(findMappedRole(nested, { 'realm_access.roles': 'staff' }), 'admin');
    const inherited = parseRoleMapping('constructor.name; Object=owner') as RoleMapping;
    assert.equal(findMappedRole(inherited, {}), null);
  });

  it('refuses what is written otherwise', () => {
    for (const text of [
      '',
      'groups',
      'groups;',
      'groups; staff',
      'groups; staff=boss',
      'a=owner; b=admin',
      'groups; =owner',
    ])
      assert.equal(parseRoleMapping(text), null, text);
  });
});
