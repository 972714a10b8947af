import { useId } from 'react';
import type { listProjects } from '../../../../contract/organization/projects.ts';
import { useData } from '../api/use-data.ts';
import { useSearch } from '../kit/use-search.ts';
import { useWords } from '../words/use-words.ts';

/** The projects that the member may see; empty until they are known. */
export function useProjects(): readonly { id: string; name: string }[] {
  const { data } = useData<typeof listProjects>('GET /v1/organizations/{orgId}/projects', {
    query: { limit: 1000 },
  });
  return data?.results ?? [];
}

/** Limits every page to one project, in the address; absent where there is one project only. */
export function ProjectSwitcher() {
  const { nav } = useWords();
  const id = useId();
  const projects = useProjects();
  const [search, setSearch] = useSearch();
  const chosen = search['project'] ?? '';
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
        {projects.map((project) => (
          <option key={project.id} value={project.id}>
            {project.name}
          </option>
        ))}
      </select>
    </div>
  );
}
