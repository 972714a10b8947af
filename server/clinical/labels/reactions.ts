import { SNOMED } from '../entries/codeable-concept.ts';
import { toArray, toElement, toElements, type Element } from '../entries/element.ts';
import { classifyCode } from './code-lists.ts';

/** What somebody felt for as long as a medicine or a sting worked. */
const PASSING =
  /^(?:(?:acute |severe |feeling |increased )?(?:anxiety|anxious|anxiousness|nervous|nervousness|agitation|restlessness|panic attacks?|mood swings?|hallucinations?)|ansiedad|nerviosismo|agitaci[oó]n|alucinaciones)(?: \((?:finding|symptom)\)| symptoms?)?$/i;
const ANXIETY = '48694002';

/**
 * Whether a reaction to a substance is such a feeling, and nothing else stands in the element: it says what the substance
 * did, and nothing of an illness.
 */
export const isPassingFeeling = (manifestation: unknown): boolean =>
  toArray(manifestation).every((each) => {
    if (Array.isArray(each)) return false;
    const { text, coding, ...others } = toElement(each) ?? {};
    const codings = toElements(coding);
    return (
      (text === undefined || isFeeling(text)) &&
      codings.length === toArray(coding).length &&
      codings.every(isCodedFeeling) &&
      (text !== undefined || codings.length > 0) &&
      Object.keys(others).length === 0
    );
  });

const isFeeling = (text: unknown): boolean => typeof text === 'string' && PASSING.test(text.trim());

const isCodedFeeling = ({ system, code, display, userSelected, ...others }: Element): boolean =>
  system === SNOMED &&
  isFeeling(display) &&
  ['boolean', 'undefined'].includes(typeof userSelected) &&
  Object.keys(others).length === 0 &&
  (code === ANXIETY ||
    (typeof code === 'string' && /^\d+$/.test(code) && classifyCode(SNOMED, code).length === 0));
