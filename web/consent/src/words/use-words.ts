import { useLanguageContext } from '../../../kit/language.tsx';
import type { Words } from './en.ts';

export const useLanguage = () => useLanguageContext<Words>();

export const useWords = (): Words => useLanguage().words;
