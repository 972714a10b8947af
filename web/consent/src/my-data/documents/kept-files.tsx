import { Icon } from '../../../../look/icon.tsx';
import type { Batch, KeptFile } from '../../api/api.ts';
import { usePage } from '../../page.ts';
import { Loading } from '../../screens/loading.tsx';
import { momentOf } from '../../words/day.ts';
import { useLanguage } from '../../words/language.tsx';
import { Older } from '../older.tsx';
import { SectionFailed } from '../section-failed.tsx';
import type { Mine } from '../use-mine.ts';
import { fileKind, nameAndFolder } from './file-kind.ts';
import { sizeText } from './numbers.ts';
import { originOf } from './origin.ts';
import type { SourceNames } from './use-batches.ts';
import { useKeptFiles } from './use-kept-files.ts';

interface KeptFilesProps extends Whence {
  mine: Mine;
  /** Uploads that have been read so far. */
  read: number;
}

/** Where files may have come from. */
interface Whence {
  batches: readonly Batch[];
  names: SourceNames;
}

/** The originals of what was read, and what could not be read: each a link, so that the browser saves it. */
export function KeptFiles({ mine, read, ...whence }: KeptFilesProps) {
  const { documents } = useLanguage().words.myData;
  const { asked, load, older, more } = useKeptFiles(mine, read);
  const answer = asked.state === 'known' ? asked.answer : null;
  const next = older ? older.next : answer?.next;
  return (
    <section className="aside">
      <h2>{documents.kept}</h2>
      {asked.state === 'loading' && <Loading />}
      {asked.state === 'troubled' && <SectionFailed trouble={asked.trouble} onRetry={() => void load()} />}
      {answer && (
        <>
          <p>{answer.results.length === 0 ? documents.keptNone : documents.keptLead}</p>
          <Files files={[...answer.results, ...(older?.files ?? [])]} {...whence} />
          {next && (
            <Older button={documents.keptOlder} shown={documents.keptShown} more={async () => more(next)} />
          )}
        </>
      )}
    </section>
  );
}

function Files({ files, ...whence }: Whence & { files: readonly KeptFile[] }) {
  if (files.length === 0) return null;
  return (
    <ul className="kept">
      {files.map((file) => (
        <KeptLine key={file.documentId} file={file} {...whence} />
      ))}
    </ul>
  );
}

function KeptLine({ file, batches, names }: Whence & { file: KeptFile }) {
  const { root } = usePage();
  const { words, language } = useLanguage();
  const { documents } = words.myData;
  const { documentId, path, size, contentType, batchId, receivedAt } = file;
  const { name, folder } = nameAndFolder(path);
  const batch = batches.find((each) => each.batchId === batchId);
  const origin = batch ? originOf(batch, names, { words, language }) : momentOf(receivedAt, language);
  const kind = documents.fileKinds[fileKind(contentType)];
  return (
    <li>
      <a href={`${root}/account/documents/${documentId}`} download>
        <Icon name="record" />
        <span>
          <span className="hidden-visually">{documents.download} </span>
          {/* A name may be written from right to left. */}
          <bdi className="kept-name">{name}</bdi>
          {folder !== '' && <bdi className="kept-fact soft small">{folder}</bdi>}
          <span className="kept-fact soft small">
            {kind} · {sizeText(size, language)}
          </span>
          <span className="kept-fact soft small">{origin}</span>
        </span>
        <Icon name="download" />
      </a>
    </li>
  );
}
