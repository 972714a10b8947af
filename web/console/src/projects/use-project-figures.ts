import type { getProjectFigures, ProjectFigures } from '../../../../contract/organization/project-figures.ts';
import { formatNumber } from '../../../kit/format-number.ts';
import { useData } from '../api/use-data.ts';
import { useLanguage } from '../words/use-words.ts';
import { FIGURES_TARGET } from './project-data.ts';

/** How much rests on the projects that the member may see, or on one of them. */
export const useProjectFigures = (projectId?: string) =>
  useData<typeof getProjectFigures>(FIGURES_TARGET, projectId === undefined ? {} : { query: { projectId } });

type Figure = Exclude<keyof ProjectFigures, 'projectId' | 'consentsByVersion'>;

/** Formats a figure of a project; it is counted while the list is read already. */
export function useFormatFigure(): (projectId: string, figure: Figure) => string {
  const { language } = useLanguage();
  const { data, isError } = useProjectFigures();
  return (projectId, figure) => {
    const found = data?.results.find((figures) => figures.projectId === projectId);
    if (found) return formatNumber(found[figure], language);
    return isError || data !== undefined ? '–' : '…';
  };
}
