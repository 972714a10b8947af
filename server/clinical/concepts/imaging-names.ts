import { toConceptId, type Concept } from './concept.ts';
import type { EntryKind } from './kind-concepts.ts';
import type { PhraseMatch } from './phrase-trie.ts';
import type { Vocabulary } from './vocabulary.ts';

/** The codes of DICOM for how a picture was taken, which stand alone where the record has no name for it. */
const MODALITIES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    BMD: 'bone-density-scan',
    CR: 'x-ray',
    CT: 'ct-scan',
    DX: 'x-ray',
    ES: 'endoscopy',
    IO: 'dental-x-ray',
    MG: 'mammogram',
    MR: 'mri-scan',
    NM: 'nuclear-medicine',
    PT: 'pet-scan',
    PX: 'dental-x-ray',
    RF: 'fluoroscopy',
    RG: 'x-ray',
    US: 'ultrasound',
    XA: 'angiography',
  }),
);

/** What such a picture of a part of the body is called with: "brain MRI". */
const WORDS: ReadonlyMap<string, string> = new Map(
  Object.entries({ 'ct-scan': 'ct', 'mri-scan': 'mri', ultrasound: 'ultrasound', 'x-ray': 'x-ray' }),
);

const SERIES = /[;\n]/;
const PARTS = /[,:()|]/;

/** What is called by an examination may be one of pictures: "Computed Tomography, Chest". */
const TITLED: ReadonlySet<EntryKind> = new Set(['procedure', 'note', 'other']);

/**
 * Finds what an imaging study is, of which each series says how and of what: "MR, Brain" is a brain MRI. Of a procedure and of
 * a report the title may say so.
 */
export function findImaging(
  vocabulary: Vocabulary,
  { kind, title, body }: { kind: EntryKind; title: string; body: string },
): Concept[] {
  if (kind === 'imaging') return findSeries(vocabulary, `${title}\n${body}`, MODALITIES);
  return TITLED.has(kind) && PARTS.test(title) ? findSeries(vocabulary, title, NO_CODES) : [];
}

const NO_CODES: typeof MODALITIES = new Map();

function findSeries(vocabulary: Vocabulary, text: string, codes: typeof MODALITIES): Concept[] {
  return text.split(SERIES).flatMap((series) => {
    const parts = series.split(PARTS).map((part) => part.trim());
    const modalities = parts.flatMap((part) => findModalities(vocabulary, part, codes));
    const phrases = new Set(
      modalities.flatMap(({ slug, name }) =>
        parts.flatMap((part) => [`${part} ${WORDS.get(slug) ?? name}`, `${name} of ${part}`]),
      ),
    );
    return [...modalities, ...[...phrases].flatMap((phrase) => findWhole(vocabulary, phrase))];
  });
}

function findModalities(vocabulary: Vocabulary, part: string, codes: typeof MODALITIES): readonly Concept[] {
  const slug = codes.get(part);
  const coded = slug === undefined ? undefined : vocabulary.getConcept(toConceptId(slug));
  if (coded !== undefined) return [coded];
  return vocabulary
    .findPhrases(part, 'record')
    .flatMap(({ concepts }) => concepts.filter((concept) => IMAGED.has(concept.slug)));
}

const IMAGED = new Set(MODALITIES.values());

function findWhole(vocabulary: Vocabulary, text: string): readonly Concept[] {
  const [match] = vocabulary.findPhrases(text, 'record');
  return match?.start === 0 && match.end === text.length ? match.concepts : [];
}

/** What stands between how a picture was taken and of what: "X-ray imaging of her right elbow". */
const OF =
  /^\s+(?:of|de|del|der|des|vom|von)\s+(?:(?:the|an?|his|her|their|la|el|los|las|su|dem|den|der|des|right|left|both|bilateral|recht\p{L}*|link\p{L}*|beide[nr]?)\s+)*$/iu;

/** Finds what a text names by a picture and, behind it, the part of the body that it is of. */
export const findImagedParts = (
  vocabulary: Vocabulary,
  text: string,
  phrases: readonly PhraseMatch[],
): PhraseMatch[] =>
  phrases.flatMap((taken, index) => {
    const part = phrases[index + 1];
    const modality = taken.concepts.find(({ slug }) => IMAGED.has(slug));
    const place = part?.concepts.find(({ kind }) => kind === 'body-parts');
    if (part === undefined || modality === undefined || place === undefined) return [];
    if (!OF.test(text.slice(taken.end, part.start))) return [];
    const concepts = findWhole(vocabulary, `${place.name} ${WORDS.get(modality.slug) ?? modality.name}`);
    const { start } = taken;
    return concepts.length === 0
      ? []
      : { concepts, start, end: part.end, phrase: text.slice(start, part.end) };
  });
