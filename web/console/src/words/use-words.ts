import { useLanguageContext } from '../../../kit/language.tsx';
import type { FrameWords } from './en/frame.ts';

/** The words of the frame: pages, common buttons, states, failures. */
export const useWords = (): FrameWords => useLanguageContext<FrameWords>().words;

export const useLanguage = () => useLanguageContext<FrameWords>();
