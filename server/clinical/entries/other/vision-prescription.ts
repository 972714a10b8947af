import { formatAnnotations } from '../annotation.ts';
import { formatConcept } from '../codeable-concept.ts';
import { joinPresent, readText, toElements, type Element } from '../element.ts';
import { formatDuration, formatQuantity } from '../quantity.ts';
import { resolveDisplay } from '../reference.ts';
import type { Description, EntryInput } from '../entry-builder.ts';

/** "Vision prescription: left -1.5, right -2.25", with all that each lens must be. */
export function describeVisionPrescription(input: EntryInput): Description {
  const { resource } = input;
  const lenses = toElements(resource['lensSpecification']);
  const prescriber = resolveDisplay(resource['prescriber'], input);
  const strengths = joinPresent(lenses.map(formatStrength), ', ');
  const products = joinPresent(
    lenses.map((lens) => formatConcept(lens['product'])),
    ', ',
  );
  return {
    title: joinPresent(['Vision prescription', strengths ?? products], ': '),
    text: joinPresent([...lenses.map(formatLens), prescriber && `Prescribed by: ${prescriber}`], '\n'),
  };
}

function formatStrength(lens: Element): string | null {
  const strength = readText(lens['sphere']) ?? readText(lens['power']);
  return strength && joinPresent([readText(lens['eye']), strength], ' ');
}

const MEASURES = ['sphere', 'cylinder', 'axis', 'add', 'power', 'diameter'];

/** "left: lens, sphere -1.5, axis 180, prism 0.5 down". */
function formatLens(lens: Element): string | null {
  const measures = MEASURES.map((name) => {
    const value = readText(lens[name]);
    return value && `${name} ${value}`;
  });
  const prisms = toElements(lens['prism']).map((prism) =>
    joinPresent(['prism', readText(prism['amount']), readText(prism['base'])], ' '),
  );
  const curve = readText(lens['backCurve']);
  const duration = formatDuration(lens['duration']) ?? formatQuantity(lens['duration']);
  const all = [
    formatConcept(lens['product']),
    ...measures,
    ...prisms,
    curve && `back curve ${curve}`,
    duration && `for ${duration}`,
    readText(lens['color']),
    readText(lens['brand']),
    formatAnnotations(lens['note']),
  ];
  return joinPresent([readText(lens['eye']), joinPresent(all, ', ')], ': ');
}
