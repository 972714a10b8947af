import { Screen } from '../screen.tsx';
import { useWords } from '../words/language.tsx';
import { Account } from './account.tsx';
import { Lately } from './lately.tsx';
import { Parts } from './parts.tsx';
import { WhatYouShare } from './share/what-you-share.tsx';
import { Sources } from './sources/sources.tsx';
import type { Mine } from './use-mine.ts';

/** First what is shared and the way to stop it; the rest a click away. */
export function Home(mine: Mine) {
  const { myData } = useWords();
  return (
    <Screen name="my-data" title={myData.title} lead={myData.lead}>
      <div>
        <WhatYouShare {...mine} />
        <Sources {...mine} />
        <Lately {...mine} />
        <Parts />
        <Account {...mine} />
      </div>
    </Screen>
  );
}
