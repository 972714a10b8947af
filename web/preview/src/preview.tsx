import { useEffect, useState } from 'react';
import { GivenLanguage, WordsProvider } from '../../kit/language.tsx';
import type { Language } from '../../kit/languages.ts';
import { Refusal } from '../../kit/http/refusal.ts';
import { AccountApiProvider, createAccountApi } from '../../patient/account-api.ts';
import { BrandProvider, useSpeaker } from '../../patient/brand.tsx';
import { Frame } from '../../patient/frame.tsx';
import { ScreenFocus } from '../../patient/screen.tsx';
import { BaseUrlProvider } from '../../consent/src/base-url.ts';
import { applyChoices, type Choices } from '../../consent/src/review/choices.ts';
import { ReviewForm } from '../../consent/src/review/review-form.tsx';
import { withReviewOf } from '../../consent/src/words/asks.ts';
import { en, type Words } from '../../consent/src/words/en.ts';
import { es } from '../../consent/src/words/es.ts';
import { useWords } from '../../consent/src/words/use-words.ts';
import { type PreviewReport, type PreviewShown, readPreviewMessage } from './preview-message.ts';
import { SAMPLE_PERSON, toReviewSubject } from './sample.ts';
import { setScheme } from './set-scheme.ts';
import { PREVIEW_WORDS } from './words.ts';
import './preview.css';

const DICTIONARIES = { en, es };

/** There is no service here: the page's policy would stop a call, and this does before. */
const NO_API = createAccountApi(() => Promise.reject(new Refusal(0, 'preview')));

const report = (message: PreviewReport): void => parent.postMessage(message, location.origin);

/** The review of the words that the console sends, as patients see it. */
export function Preview({ baseUrl }: { baseUrl: string }) {
  const shown = useShown();
  if (shown === null) return null;
  const chooseLanguage = (language: Language) => report({ chartgatePreview: 'language', language });
  return (
    <AccountApiProvider value={NO_API}>
      <BaseUrlProvider value={baseUrl}>
        <GivenLanguage language={shown.language} dictionaries={DICTIONARIES} chooseLanguage={chooseLanguage}>
          <ScreenFocus value={false}>
            <p className="preview-strip">{PREVIEW_WORDS[shown.language].strip}</p>
            <BrandProvider baseUrl={baseUrl}>
              <Frame>
                <PreviewedReview key={shown.requester} shown={shown} />
              </Frame>
            </BrandProvider>
          </ScreenFocus>
        </GivenLanguage>
      </BaseUrlProvider>
    </AccountApiProvider>
  );
}

/** What the page around it sent last. */
function useShown(): PreviewShown | null {
  const [shown, setShown] = useState<PreviewShown | null>(null);
  useEffect(() => {
    const receive = (event: MessageEvent<unknown>) => {
      const next = readPreviewMessage(event, { window: parent, origin: location.origin });
      if (next === null) return;
      setScheme(next.scheme);
      setShown(next);
    };
    addEventListener('message', receive);
    report({ chartgatePreview: 'ready' });
    return () => removeEventListener('message', receive);
  }, []);
  return shown;
}

function PreviewedReview({ shown }: { shown: PreviewShown }) {
  const words = useWords();
  useSpeaker(shown.organization);
  const [patch, setPatch] = useState<Partial<Choices>>({});
  const [pressed, setPressed] = useState(0);
  const subject = toReviewSubject(shown);
  const own = PREVIEW_WORDS[shown.language];
  const press = async () => setPressed(pressed + 1);
  return (
    <WordsProvider words={markAsPreview(words, shown)}>
      <ReviewForm
        interaction={subject}
        person={SAMPLE_PERSON}
        choices={applyChoices(subject, patch)}
        updateChoices={(some) => setPatch((before) => ({ ...before, ...some }))}
        progress={null}
        onAllow={press}
        onDeny={press}
      />
      <p className="preview-pressed" role="status">
        {pressed > 0 && <span key={pressed}>{own.pressed}</span>}
      </p>
    </WordsProvider>
  );
}

/** The words of the review of who asks, whose buttons say that they decide nothing. */
function markAsPreview(words: Words, { requester, language }: PreviewShown): Words {
  const asked = requester === 'app' ? words : withReviewOf(words, requester);
  const { allow } = PREVIEW_WORDS[language];
  const { review } = asked;
  return { ...asked, review: { ...review, allow: allow(review.allow), deny: allow(review.deny) } };
}
