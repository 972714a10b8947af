import type { Cluster } from '../../../clinical/search/cluster-hits.ts';
import type { Question } from '../../../clinical/search/question.ts';
import { pluralize } from './format-number.ts';
import { formatName } from './name-text.ts';

/** More names make a sentence that nobody reads. */
const MAX_NAMES = 5;

/** Says of which tests the rows show the highest or lowest value that was asked for, and of which they do not, and why. */
export function renderExtremes({ extreme }: Question, clusters: readonly Cluster[]): string | null {
  if (extreme === null) return null;
  const measured = clusters.filter(({ hit }) => hit.entry.kind === 'lab' || hit.entry.kind === 'vital');
  const compared = measured.filter(({ units, hit }) => units.length === 1 && hit.range.value !== null);
  const mixed = measured.filter(({ units }) => units.length > 1);
  const unequalled = compared.filter((cluster) => cluster.unequalled > 0);
  const parts = [
    compared.length === 0
      ? `No result here has numbers that can be compared, so the ${extreme} is not told.`
      : `Shown with the ${extreme} value: ${listTitles(compared)}.`,
    mixed.length > 0 && `In several units, so that lowest and highest are not told: ${listTitles(mixed)}.`,
    unequalled.length > 0 &&
      `Not compared, being no plain numbers: ${unequalled.map(formatUnequalled).slice(0, MAX_NAMES).join(', ')}.`,
  ];
  return parts.filter((part) => part !== false).join(' ');
}

const formatTitle = ({ hit }: Cluster): string => formatName(hit.entry.title, 80);

const formatUnequalled = (cluster: Cluster): string =>
  `${pluralize(cluster.unequalled, 'value')} of ${formatTitle(cluster)}`;

const listTitles = (clusters: readonly Cluster[]): string => {
  const titles = [...new Set(clusters.map(formatTitle))];
  const more = titles.length - MAX_NAMES;
  return `${titles.slice(0, MAX_NAMES).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
};
