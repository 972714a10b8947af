import { useId } from 'react';
import type { listProjects } from '../../../../contract/organization/projects.ts';
import { useData } from '../api/use-data.ts';
import { useSearch } from '../kit/use-search.ts';
import { useWords } from '../words/use-words.ts';

export const PROJECTS_TARGET = 'GET /v1/organizations/{orgId}/projects';

interface ListedProject {
  id: string;
  name: string;
  /** The consents that it asks the invited for. */
  consentTypes: readonly unknown[];
}

/** The projects that the member may see; empty until they are known. */
export function useProjects(): readonly ListedProject[] {
  const { data } = useData<typeof listProjects>(PROJECTS_TARGET, { query: { limit: 1000 } });
  return data?.results ?? [];
}

/** Whether a project that was chosen is none of the member's any more, once these are known. */
export const isLostProject = (projects: readonly { id: string }[], chosen: string): boolean =>
  chosen !== '' && projects.length > 0 && projects.every(({ id }) => id !== chosen);

/** The projects to choose from; one that is the member's no more stays chosen until they choose another. */
export function useProjectOptions(chosen: string): readonly { value: string; label: string }[] {
  const { nav } = useWords();
  const projects = useProjects();
  const options = projects.map(({ id, name }) => ({ value: id, label: name }));
  return isLostProject(projects, chosen) ? [{ value: chosen, label: nav.lostProject }, ...options] : options;
}

/** Limits every page to one project, in the address; absent where there is one project only. */
export function ProjectSwitcher() {
  const { nav } = useWords();
  const id = useId();
  const projects = useProjects();
  const [search, setSearch] = useSearch();
  const chosen = search['project'] ?? '';
  const options = useProjectOptions(chosen);
  if (projects.length < 2 && chosen === '') return null;
  return (
    <div className="switcher">
      <label className="filter-label" htmlFor={id}>
        {nav.project}
      </label>
      <select
        id={id}
        className="filter-input"
        value={chosen}
        // A page of a list belongs to the project that it was a page of.
        onChange={(event) => setSearch({ project: event.target.value, from: undefined })}
      >
        <option value="">{nav.allProjects}</option>
        {options.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </div>
  );
}
