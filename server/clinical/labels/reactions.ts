import { SNOMED } from '../entries/codeable-concept.ts';
import { toArray, toElement, toElements, type Element } from '../entries/element.ts';
import { classifyCode } from './code-lists.ts';

/** What somebody felt for as long as a medicine or a sting worked. */
const FEELING =
  '(?:(?:acute |severe |feeling |increased )?(?:anxiety|anxious|anxiousness|nervous|nervousness|agitation|restlessness|panic attacks?|mood swings?|hallucinations?)|ansiedad|nerviosismo|agitaci[oó]n|alucinaciones)(?: \\((?:finding|symptom)\\)| symptoms?)?';
const PASSING = new RegExp(`^${FEELING}(?:(?:, | and | y |; ?| ?/ ?)${FEELING}){0,3}[.]?$`, 'i');
const ANXIETY = '48694002';

/**
 * Whether a reaction to a substance is such a feeling, and nothing else stands in the element: it says what the substance
 * did, and nothing of an illness.
 */
export function isPassingFeeling(manifestation: unknown): boolean {
  if (Array.isArray(manifestation)) return false;
  const { id, text, coding, ...others } = toElement(manifestation) ?? {};
  const codings = toElements(coding);
  return (
    (text === undefined || isFeeling(text)) &&
    (id === undefined || (typeof id === 'string' && /^\d{1,6}$/.test(id))) &&
    codings.length === toArray(coding).length &&
    codings.every((each) => isCodedFeeling(each, text !== undefined)) &&
    (text !== undefined || codings.length > 0) &&
    Object.keys(others).length === 0
  );
}

/** Whether a text names nothing but such a feeling. */
export const isFeeling = (text: unknown): boolean => typeof text === 'string' && PASSING.test(text.trim());

/** A code of SNOMED CT, or a number in a system that is one itself and says nothing by its name. */
function isCodedFeeling(
  { system, code, display, userSelected, ...others }: Element,
  isNamed: boolean,
): boolean {
  const isCoded =
    (system === SNOMED && code === ANXIETY) ||
    ((system === SNOMED || (typeof system === 'string' && /^urn:oid:[\d.]{1,100}$/.test(system))) &&
      typeof code === 'string' &&
      /^\d{1,18}$/.test(code) &&
      classifyCode(SNOMED, code).length === 0 &&
      classifyCode(system, code).length === 0);
  const isSaid = display === undefined ? isNamed || code === ANXIETY : isFeeling(display);
  return (
    isCoded &&
    isSaid &&
    ['boolean', 'undefined'].includes(typeof userSelected) &&
    Object.keys(others).length === 0
  );
}
