import { useCallback, useEffect, useRef } from 'react';
import { revealInvisible } from '../../../../contract/reveal-invisible.ts';
import { Icon } from '../../../kit/icon.tsx';
import type { Batch, OriginalFile } from '../api.ts';
import { useAppDeps } from '../app-deps.ts';
import { formatDateTime } from '../../../kit/format-date.ts';
import { DownloadLink } from '../download-link.tsx';
import { useLanguage } from '../words/use-words.ts';
import { LoadMore } from '../load-more.tsx';
import { Loaded } from '../loaded.tsx';
import { type PersonProps, usePersonPages } from '../person-query.ts';
import { toFileKind, splitPath } from './file-kind.ts';
import { formatSize } from '../../../kit/format-number.ts';
import { formatOrigin } from './origin.ts';
import type { SourceNames } from './use-batches.ts';

interface OriginalFilesProps extends OriginProps {
  personProps: PersonProps;
  /** The number of uploads that have been read. */
  finishedCount: number;
}

/** What the origin of a file is looked up in. */
interface OriginProps {
  batches: readonly Batch[];
  names: SourceNames;
}

/** The files as they were added, read or not: each a link, so that the browser saves it. */
export function OriginalFiles({ personProps, finishedCount, ...originProps }: OriginalFilesProps) {
  const { documents } = useLanguage().words.myData;
  const files = useOriginalFiles(personProps, finishedCount);
  return (
    <section className="aside">
      <h2>{documents.originals}</h2>
      <Loaded of={files}>
        {({ results, next }) => (
          <>
            <p>{results.length === 0 ? documents.originalsNone : documents.originalsLead}</p>
            <Files files={results} {...originProps} />
            {next !== null && (
              <LoadMore
                label={documents.originalsOlder}
                formatShown={documents.originalsShown}
                loadMore={files.loadMore}
              />
            )}
          </>
        )}
      </Loaded>
    </section>
  );
}

const PAGE_SIZE = 50;

/** The original files page by page; loaded anew when another upload has been read. */
function useOriginalFiles(personProps: PersonProps, finishedCount: number) {
  const { api } = useAppDeps();
  const fetchPage = useCallback(
    (before?: string) => api.listMyDocuments({ limit: PAGE_SIZE, before }),
    [api],
  );
  const files = usePersonPages(fetchPage, personProps);
  const { load } = files;
  const previousCount = useRef(finishedCount);
  useEffect(() => {
    if (previousCount.current === finishedCount) return;
    previousCount.current = finishedCount;
    void load();
  }, [finishedCount, load]);
  return files;
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
  const { words, language } = useLanguage();
  const { documents } = words.myData;
  const { documentId, path, size, contentType, batchId, receivedAt } = file;
  const { name, folder } = splitPath(revealInvisible(path));
  const batch = batches.find((each) => each.batchId === batchId);
  const origin = batch
    ? formatOrigin(batch, names, { words, language })
    : formatDateTime(receivedAt, language);
  const kind = documents.fileKinds[toFileKind(contentType)];
  return (
    <li>
      <DownloadLink path={`/account/documents/${documentId}`}>
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
      </DownloadLink>
    </li>
  );
}
