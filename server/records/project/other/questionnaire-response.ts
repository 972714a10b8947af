import { displayText } from '../codeable-concept.ts';
import { narrativeOf } from '../composition.ts';
import { at, elements, flattened, joined, text, type Element } from '../element.ts';
import { valueOf } from '../measure.ts';
import type { Source } from '../source.ts';
import type { Description } from './description.ts';

export function questionnaireResponse({ resource }: Source): Description {
  const questions = flattened(resource['item'], 'item', 'answer').filter((each) => 'answer' in each);
  const form =
    text(at(resource, '_questionnaire', 'extension', 'valueString')) ?? formName(resource['questionnaire']);
  return {
    title: form === null ? 'Questionnaire' : `Questionnaire: ${form}`,
    text: joined(questions.map(answered), '\n') ?? narrativeOf(resource),
  };
}

/** The last part of the questionnaire's canonical address, all that a response tells of its form. */
function formName(canonical: unknown): string | null {
  const [address = ''] = (text(canonical) ?? text(at(canonical, 'reference')) ?? '').split('|');
  return text(address.split('/').at(-1)?.replace(/^#/, ''));
}

/** "Sex: f"; a question without its words is told by its link id. */
function answered(item: Element): string | null {
  const answers = elements(item['answer']).map((answer) => {
    const { value, unit } = valueOf(answer);
    return value === null ? displayText(answer['valueCoding']) : joined([value, unit], ' ');
  });
  const said = joined(answers, ', ');
  return said === null ? null : `${text(item['text']) ?? text(item['linkId']) ?? 'Question'}: ${said}`;
}
