import { useWords } from '../words/use-words.ts';

/** Says of words that they were shown in that language alone; nothing of those in the language of the decision. */
export function OtherLanguage({ language }: { language: 'en' | 'es' | undefined }) {
  const { onlyIn } = useWords().myData.receipts.page;
  return language !== undefined && <span className="soft small"> ({onlyIn[language]})</span>;
}
