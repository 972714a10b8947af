import { formatAnnotations } from '../annotation.ts';
import { formatConcept, formatConcepts, parseCodings } from '../codeable-concept.ts';
import { toElements, joinPresent, readText, type Element } from '../element.ts';
import { formatModality } from './modality.ts';
import type { Description, EntryInput } from '../entry-builder.ts';

export function describeImagingStudy({ resource }: EntryInput): Description {
  const modalities = toElements(resource['modality']);
  const [modality, ...others] = modalities;
  const series = toElements(resource['series']).map((each) =>
    formatSeries(each, findModality(each, modalities) ?? (others.length === 0 ? modality : undefined)),
  );
  const procedures = joinPresent(formatConcepts(resource['procedureCode']), ', ');
  const all = joinPresent(modalities.map(formatModality), ', ');
  const title = readText(resource['description']) ?? procedures ?? series[0] ?? all;
  const lines = [
    ...(series.length === 0 && all !== title ? [all] : series),
    ...formatConcepts(resource['reasonCode']),
    formatAnnotations(resource['note']),
  ];
  return { title, text: joinPresent(lines, '; ') };
}

/** The modality of a series as the study names it, which may say more: a series often has the code alone. */
function findModality(series: Element, modalities: readonly Element[]): Element | undefined {
  const codes = listCodes(series['modality']);
  return modalities.find((each) => listCodes(each).some((code) => codes.includes(code)));
}

const listCodes = (modality: unknown): string[] => parseCodings(modality).flatMap(({ code }) => code ?? []);

/** "Ultrasound, thoracic". */
function formatSeries(series: Element, modality: Element | undefined): string | null {
  const own = parseCodings(series['modality']).some(({ display }) => display !== null);
  return joinPresent(
    [
      formatModality(own ? series['modality'] : (modality ?? series['modality'])),
      formatConcept(series['bodySite']),
      readText(series['description']),
    ],
    ', ',
  );
}
