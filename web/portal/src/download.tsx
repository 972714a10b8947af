import { Icon } from '../../kit/icon.tsx';
import { Notice } from '../../kit/notice.tsx';
import { Screen } from '../../patient/screen.tsx';
import { useWords } from './words/use-words.ts';
import { BackToMyData } from './back-to-my-data.tsx';
import { DownloadLink } from './download-link.tsx';
import { BulletList } from './bullet-list.tsx';

/** A link instead of a request of ours: the browser writes the file while it arrives, however large it is. */
export function Download() {
  const { parts, download } = useWords().myData;
  return (
    <Screen
      name="my-data-download"
      title={parts.download.title}
      above={<BackToMyData />}
      lead={download.lead}
    >
      <BulletList title={download.inside} items={download.list} icon="check" />
      <Notice>
        <p>{download.private}</p>
        <p>{download.size}</p>
      </Notice>
      <div>
        <DownloadLink path="/account/download" className="button button-strong" begins={download.begins}>
          <Icon name="download" />
          {download.button}
        </DownloadLink>
      </div>
    </Screen>
  );
}
