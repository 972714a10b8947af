import { type Role, ROLES } from '../../../../contract/roles.ts';
import { SelectField } from '../../../kit/select-field.tsx';
import { useConsole } from '../api/use-console.ts';
import { ProjectPicker } from '../kit/project-picker.tsx';
import { useTeamWords } from './use-team-words.ts';

export interface Assignment {
  role: Role;
  /** The projects of a researcher; null: all. */
  projectIds: readonly string[] | null;
}

/** As the service has it: owners are made, changed and removed by owners. */
export const mayManageRole = (own: Role, other: Role): boolean => other !== 'owner' || own === 'owner';

/** What somebody may do. Only an owner makes owners; only a researcher is limited to projects. */
export function RoleFields({
  value,
  onChange,
}: {
  value: Assignment;
  onChange: (value: Assignment) => void;
}) {
  const words = useTeamWords();
  const { member } = useConsole();
  const roles = ROLES.filter((role) => mayManageRole(member.role, role));
  return (
    <>
      <SelectField
        name="role"
        label={words.role}
        options={roles.map((role) => ({ value: role, label: words.roles[role] }))}
        value={value.role}
        onChange={(role) => onChange({ role, projectIds: role === 'researcher' ? value.projectIds : null })}
      />
      {value.role === 'researcher' && (
        <ProjectPicker
          label={words.projects}
          value={value.projectIds}
          onChange={(projectIds) => onChange({ ...value, projectIds })}
        />
      )}
    </>
  );
}
