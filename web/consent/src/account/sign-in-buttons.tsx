import { Button } from '../../../kit/button.tsx';
import type { Step } from '../../../patient/step.ts';
import { useWords } from '../words/use-words.ts';

export function SignInButtons({ go }: { go: (step: Step) => void }) {
  const { signIn, signUp } = useWords();
  return (
    <div className="buttons">
      <Button variant="strong" onPress={() => go({ at: 'sign-up' })}>
        {signUp.title}
      </Button>
      <Button onPress={() => go({ at: 'sign-in' })}>{signIn.title}</Button>
    </div>
  );
}
