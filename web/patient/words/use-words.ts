import { useLanguageContext } from '../../kit/language.tsx';
import type { PatientWords } from './en.ts';

export const useLanguage = () => useLanguageContext<PatientWords>();

export const useWords = (): PatientWords => useLanguage().words;
