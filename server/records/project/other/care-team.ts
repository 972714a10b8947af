import { conceptText, conceptTexts } from '../codeable-concept.ts';
import { elements, joined, text } from '../element.ts';
import { labelOf } from '../reference.ts';
import type { Source } from '../source.ts';
import type { Description } from './description.ts';

export function careTeam(source: Source): Description {
  const { resource } = source;
  const reason = joined(conceptTexts(resource['reasonCode']), ', ');
  const name = text(resource['name']) ?? reason;
  const people = elements(resource['participant']).map((each) => {
    const who = labelOf(each['member'], source);
    return joined([conceptText(each['role']), who], ': ');
  });
  return { title: name === null ? 'Care team' : `Care team: ${name}`, text: joined(people, '\n') };
}
