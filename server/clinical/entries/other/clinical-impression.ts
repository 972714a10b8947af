import { formatAnnotations } from '../annotation.ts';
import { formatConcept, formatConcepts } from '../codeable-concept.ts';
import { joinPresent, readText, toElements, type Element } from '../element.ts';
import { resolveDisplay, resolveDisplays } from '../reference.ts';
import type { Description, EntryInput } from '../entry-builder.ts';

/** What a clinician found and thinks of it. */
export function describeClinicalImpression(input: EntryInput): Description {
  const { resource } = input;
  const findings = joinPresent(
    toElements(resource['finding']).map((finding) => formatFinding(finding, input)),
    '; ',
  );
  const problems = joinPresent(resolveDisplays(resource['problem'], input), '; ');
  const prognosis = joinPresent(
    [
      ...formatConcepts(resource['prognosisCodeableConcept']),
      ...resolveDisplays(resource['prognosisReference'], input),
    ],
    '; ',
  );
  const lines = [
    readText(resource['description']),
    readText(resource['summary']),
    findings && `Findings: ${findings}`,
    problems && `Problems: ${problems}`,
    prognosis && `Prognosis: ${prognosis}`,
    formatAnnotations(resource['note']),
  ];
  const title = formatConcept(resource['code']) ?? findings ?? readText(resource['description']);
  return {
    title: joinPresent(['Clinical impression', title], ': '),
    text: joinPresent(lines, '\n'),
  };
}

/** "Myasthenia gravis (ptosis at dusk)". */
function formatFinding(finding: Element, input: EntryInput): string | null {
  const what =
    formatConcept(finding['itemCodeableConcept']) ?? resolveDisplay(finding['itemReference'], input);
  const basis = readText(finding['basis']);
  return what !== null && basis !== null ? `${what} (${basis})` : (what ?? basis);
}
