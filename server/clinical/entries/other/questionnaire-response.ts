import { getDisplay } from '../codeable-concept.ts';
import { readNarrative } from '../composition.ts';
import { getPath, toElements, flattenTree, joinPresent, readText, type Element } from '../element.ts';
import { readValue } from '../measure.ts';
import type { Description, EntryInput } from '../entry-builder.ts';

export function describeQuestionnaireResponse({ resource }: EntryInput): Description {
  const questions = flattenTree(resource['item'], 'item', 'answer').filter((each) => 'answer' in each);
  const form =
    readText(getPath(resource, '_questionnaire', 'extension', 'valueString')) ??
    readFormName(resource['questionnaire']);
  return {
    title: form === null ? 'Questionnaire' : `Questionnaire: ${form}`,
    text: joinPresent(questions.map(formatAnswer), '\n') ?? readNarrative(resource),
  };
}

/** Returns the last part of the questionnaire's canonical URL: a response says no more of its form. */
function readFormName(canonical: unknown): string | null {
  const [address = ''] = (readText(canonical) ?? readText(getPath(canonical, 'reference')) ?? '').split('|');
  return readText(address.split('/').at(-1)?.replace(/^#/, ''));
}

/** Formats "Sex: f"; a question without text has its link id instead. */
function formatAnswer(item: Element): string | null {
  const answers = toElements(item['answer']).map((answer) => {
    const { value, unit } = readValue(answer);
    return value === null ? getDisplay(answer['valueCoding']) : joinPresent([value, unit], ' ');
  });
  const answerText = joinPresent(answers, ', ');
  return answerText === null
    ? null
    : `${readText(item['text']) ?? readText(item['linkId']) ?? 'Question'}: ${answerText}`;
}
