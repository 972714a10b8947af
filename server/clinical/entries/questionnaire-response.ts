import type { Measure } from './observation-detail.ts';
import { getDisplay } from './codeable-concept.ts';
import {
  flattenTree,
  getPath,
  joinPresent,
  presentFields,
  readText,
  toElements,
  type Element,
} from './element.ts';
import { buildEntryBase } from './entry-base.ts';
import type { EntryBuilder } from './entry-builder.ts';
import { readValue } from './measure.ts';
import { readOwnNarrative } from './narrative.ts';
import { findFirstDate } from './partial-date.ts';
import { formatDisplays } from './reference.ts';

/** Builds a survey of which each answer is a component; of one without answers the narrative is the note. */
export const buildQuestionnaireResponse: EntryBuilder = (input) => {
  const { resource } = input;
  const questions = flattenTree(resource['item'], 'item', 'answer').filter((each) => 'answer' in each);
  const components = questions.flatMap(readAnswer);
  const form =
    readText(getPath(resource, '_questionnaire', 'extension', 'valueString')) ??
    readFormName(resource['questionnaire']);
  const base = buildEntryBase(input, {
    title: form === null ? 'Questionnaire' : `Questionnaire: ${form}`,
    when: findFirstDate(resource['authored']),
  });
  const detail = {
    value: null,
    unit: null,
    absent: components.length === 0 ? 'no answers recorded' : null,
    interpretation: null,
    referenceRange: null,
    components,
    panel: null,
    note: components.length === 0 ? readOwnNarrative(resource) : null,
    ...presentFields({
      performer: formatDisplays(resource['author'] ?? resource['source'], input),
    }),
  };
  return [{ ...base, kind: 'survey', detail }];
};

/** Returns the last part of the questionnaire's canonical URL: a response says no more of its form. */
function readFormName(canonical: unknown): string | null {
  const [address = ''] = (readText(canonical) ?? readText(getPath(canonical, 'reference')) ?? '').split('|');
  return readText(address.split('/').at(-1)?.replace(/^#/, ''));
}

/** Reads "Sex: f"; a question without text has its link id instead. Several answers are one value. */
function readAnswer(item: Element): Measure[] {
  const values = toElements(item['answer']).map((answer) => {
    const read = readValue(answer);
    return read.value === null ? { value: getDisplay(answer['valueCoding']), unit: null } : read;
  });
  const answered = values.filter(({ value }) => value !== null);
  const [only] = answered;
  if (only === undefined) return [];
  const { value, unit } =
    answered.length === 1
      ? only
      : {
          value: joinPresent(
            answered.map((each) => joinPresent([each.value, each.unit], ' ')),
            ', ',
          ),
          unit: null,
        };
  return [
    {
      label: readText(item['text']) ?? readText(item['linkId']) ?? 'Question',
      value,
      unit,
      absent: null,
      code: null,
      interpretation: null,
      referenceRange: null,
    },
  ];
}
