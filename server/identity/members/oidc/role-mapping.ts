import { ROLES, type Role } from '../../../../contract/roles.ts';

/** Which claim names a person's groups, and which role a group has here; the first rule that matches counts. */
export interface RoleMapping {
  claim: string;
  rules: readonly { group: string; role: Role }[];
}

/** Parses `groups; clinic-owners=owner; clinic-research=researcher`; null where it is not written so. */
export function parseRoleMapping(text: string): RoleMapping | null {
  const [claim = '', ...parts] = text.split(';').map((part) => part.trim());
  const rules = parts
    .filter((part) => part !== '')
    .map((part) => {
      // A group of a directory may be called CN=Owners,OU=Clinic.
      const at = part.lastIndexOf('=');
      return { group: part.slice(0, Math.max(0, at)).trim(), role: part.slice(at + 1).trim() as Role };
    });
  const isValid =
    claim !== '' &&
    !claim.includes('=') &&
    rules.length > 0 &&
    rules.every(({ group, role }) => group !== '' && ROLES.includes(role));
  return isValid ? { claim, rules } : null;
}

/** Returns the role of whoever has these claims; null: none of their groups has one. */
export function findMappedRole(
  { claim, rules }: RoleMapping,
  claims: Readonly<Record<string, unknown>>,
): Role | null {
  const value = Object.hasOwn(claims, claim) ? claims[claim] : readPath(claims, claim.split('.'));
  const groups = Array.isArray(value) ? value : [value];
  return rules.find(({ group }) => groups.includes(group))?.role ?? null;
}

/** Reads `realm_access.roles`, as Keycloak nests them. */
function readPath(value: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined) return value;
  const isObject = typeof value === 'object' && value !== null && Object.hasOwn(value, name);
  return isObject ? readPath((value as Record<string, unknown>)[name], rest) : undefined;
}
