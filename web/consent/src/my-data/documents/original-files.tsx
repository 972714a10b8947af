import { Icon } from '../../../../kit/icon.tsx';
import type { Batch, OriginalFile } from '../../api/api.ts';
import { useAppDeps } from '../../app-deps.ts';
import { Loading } from '../../screens/loading.tsx';
import { formatDateTime } from '../../words/format-date.ts';
import { useLanguage } from '../../words/language.tsx';
import { LoadMore } from '../load-more.tsx';
import { SectionError } from '../section-error.tsx';
import type { PersonProps } from '../use-query.ts';
import { toFileKind, splitPath } from './file-kind.ts';
import { formatSize } from './format-number.ts';
import { formatOrigin } from './origin.ts';
import type { SourceNames } from './use-batches.ts';
import { useOriginalFiles } from './use-original-files.ts';

interface OriginalFilesProps extends OriginProps {
  personProps: PersonProps;
  /** Uploads that have been read so far. */
  finishedCount: number;
}

/** Where files may have come from. */
interface OriginProps {
  batches: readonly Batch[];
  names: SourceNames;
}

/** The originals of what was read, and what could not be read: each a link, so that the browser saves it. */
export function OriginalFiles({ personProps, finishedCount, ...originProps }: OriginalFilesProps) {
  const { documents } = useLanguage().words.myData;
  const { asked: query, load, older, more: loadMore } = useOriginalFiles(personProps, finishedCount);
  const page = query.state === 'known' ? query.data : null;
  const next = older ? older.next : page?.next;
  return (
    <section className="aside">
      <h2>{documents.originals}</h2>
      {query.state === 'loading' && <Loading />}
      {query.state === 'troubled' && <SectionError failure={query.failure} onRetry={() => void load()} />}
      {page && (
        <>
          <p>{page.results.length === 0 ? documents.originalsNone : documents.originalsLead}</p>
          <Files files={[...page.results, ...(older?.files ?? [])]} {...originProps} />
          {next && (
            <LoadMore
              label={documents.originalsOlder}
              formatShown={documents.originalsShown}
              loadMore={async () => loadMore(next)}
            />
          )}
        </>
      )}
    </section>
  );
}

function Files({ files, ...originProps }: OriginProps & { files: readonly OriginalFile[] }) {
  if (files.length === 0) return null;
  return (
    <ul className="kept">
      {files.map((file) => (
        <OriginalFileLink key={file.documentId} file={file} {...originProps} />
      ))}
    </ul>
  );
}

function OriginalFileLink({ file, batches, names }: OriginProps & { file: OriginalFile }) {
  const { baseUrl } = useAppDeps();
  const { words, language } = useLanguage();
  const { documents } = words.myData;
  const { documentId, path, size, contentType, batchId, receivedAt } = file;
  const { name, folder } = splitPath(path);
  const batch = batches.find((each) => each.batchId === batchId);
  const origin = batch
    ? formatOrigin(batch, names, { words, language })
    : formatDateTime(receivedAt, language);
  const kind = documents.fileKinds[toFileKind(contentType)];
  return (
    <li>
      <a href={`${baseUrl}/account/documents/${documentId}`} download>
        <Icon name="record" />
        <span>
          <span className="hidden-visually">{documents.download} </span>
          {/* A name may be written from right to left. */}
          <bdi className="kept-name">{name}</bdi>
          {folder !== '' && <bdi className="kept-fact soft small">{folder}</bdi>}
          <span className="kept-fact soft small">
            {kind} · {formatSize(size, language)}
          </span>
          <span className="kept-fact soft small">{origin}</span>
        </span>
        <Icon name="download" />
      </a>
    </li>
  );
}
