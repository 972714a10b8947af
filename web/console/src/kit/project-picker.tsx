import { Checkbox, RadioGroup } from '../../../kit/choice.tsx';
import { useProjects } from '../frame/project-switcher.tsx';
import { useWords } from '../words/use-words.ts';

interface ProjectPickerProps {
  label: string;
  /** null: every project, those that are created later too. */
  value: readonly string[] | null;
  onChange: (value: readonly string[] | null) => void;
}

/** Limits somebody to some projects. */
export function ProjectPicker({ label, value, onChange }: ProjectPickerProps) {
  const { nav } = useWords();
  const projects = useProjects();
  const toggle = (id: string, isChosen: boolean) =>
    onChange(isChosen ? [...(value ?? []), id] : (value ?? []).filter((chosen) => chosen !== id));
  return (
    <RadioGroup
      name="project-reach"
      legend={label}
      options={[
        { value: 'all', label: nav.allProjects },
        { value: 'some', label: nav.theseProjects },
      ]}
      value={value === null ? 'all' : 'some'}
      onChange={(reach) => onChange(reach === 'all' ? null : projects.slice(0, 1).map(({ id }) => id))}
    >
      {value !== null && (
        <div className="indented">
          {projects.map(({ id, name }) => (
            <Checkbox
              key={id}
              label={name}
              checked={value.includes(id)}
              onChange={(isChosen) => toggle(id, isChosen)}
            />
          ))}
        </div>
      )}
    </RadioGroup>
  );
}

/** Returns what names the projects that somebody is limited to; null: every project. */
export function useProjectNames(): (ids: readonly string[] | null) => string {
  const { nav } = useWords();
  const projects = useProjects();
  const names = new Map(projects.map(({ id, name }) => [id, name]));
  return (ids) => (ids === null ? nav.allProjects : ids.map((id) => names.get(id) ?? id).join(', '));
}

/** The names of the projects that somebody is limited to. */
export function ProjectNames({ ids }: { ids: readonly string[] | null }) {
  return useProjectNames()(ids);
}
