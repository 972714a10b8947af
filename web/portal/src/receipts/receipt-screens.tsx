import { type SyntheticEvent, useState } from 'react';
import { formatDateTime } from '../../../kit/format-date.ts';
import { useAppDeps } from '../app-deps.ts';
import type { ReceiptContent } from '../api.ts';
import type { Words } from '../words/en.ts';
import { useLanguage } from '../words/use-words.ts';
import { countColumns, slicePicture } from './slice-picture.ts';

type Screenshot = ReceiptContent['screenshots'][number];

interface ReceiptScreensProps {
  consentRecordId: string;
  screenshots: readonly Screenshot[];
}

/** The screens that the decision was made on: whole on a screen, in parts that fit on paper. */
export function ReceiptScreens({ consentRecordId, screenshots }: ReceiptScreensProps) {
  const { baseUrl } = useAppDeps();
  const { page } = useLanguage().words.myData.receipts;
  return (
    <section className="receipt-section">
      <h2>{page.screens}</h2>
      {screenshots.length === 0 && <p>{page.noScreens}</p>}
      <div className="receipt-screens">
        {screenshots.map((screenshot) => (
          <ScreenPicture
            key={screenshot.id}
            screenshot={screenshot}
            url={`${baseUrl}/account/receipts/${consentRecordId}/screenshots/${screenshot.id}`}
          />
        ))}
      </div>
    </section>
  );
}

function ScreenPicture({ screenshot, url }: { screenshot: Screenshot; url: string }) {
  const { words, language } = useLanguage();
  const { page } = words.myData.receipts;
  const [picture, setPicture] = useState<LoadedPicture | 'loading' | 'lost'>('loading');
  const name = getScreenName(screenshot.screen, words);
  const title = `${name}, ${page.taken(formatDateTime(screenshot.takenAt, language))}`;
  return (
    <div className="receipt-screen">
      <h3>{title}</h3>
      {picture === 'lost' && <p role="alert">{page.screenLost}</p>}
      {picture === 'loading' && (
        <img
          className="receipt-picture"
          src={url}
          alt={name}
          onLoad={(event) => setPicture(loadPicture(event))}
          onError={() => setPicture('lost')}
        />
      )}
      {typeof picture === 'object' && <Parts picture={picture} name={name} title={title} />}
    </div>
  );
}

const getScreenName = (screen: string, { myData: { receipts } }: Words): string =>
  new Map(Object.entries(receipts.page.screenNames)).get(screen) ?? receipts.page.otherScreen;

interface LoadedPicture {
  columns: 1 | 2 | 3;
  /** The picture in parts, each an address of its own. */
  parts: readonly string[];
}

function loadPicture({ currentTarget: image }: SyntheticEvent<HTMLImageElement>): LoadedPicture {
  const { naturalWidth: width, naturalHeight: height } = image;
  const context = createCanvas(width, height);
  // Without a canvas, as some browsers are set, it is shown in one part.
  if (!context) return { columns: 1, parts: [image.src] };
  context.drawImage(image, 0, 0);
  const { left, width: shownWidth, slices } = slicePicture(context.getImageData(0, 0, width, height));
  const parts = slices.map((slice) => {
    const part = createCanvas(shownWidth, slice.height);
    part?.drawImage(image, -left, -slice.top);
    return part?.canvas.toDataURL() ?? image.src;
  });
  return { columns: countColumns(shownWidth), parts };
}

const createCanvas = (width: number, height: number): CanvasRenderingContext2D | null =>
  Object.assign(document.createElement('canvas'), { width, height }).getContext('2d');

interface PartsProps {
  picture: LoadedPicture;
  name: string;
  title: string;
}

/** On paper each part is named, because parts of several screens stand side by side. */
function Parts({ picture: { columns, parts }, name, title }: PartsProps) {
  const { page } = useLanguage().words.myData.receipts;
  return (
    <div className={`receipt-parts receipt-parts-${columns}`}>
      {parts.map((url, index) => (
        <figure key={url} className="receipt-part">
          <img src={url} alt={page.screenAlt(name, index + 1, parts.length)} />
          <figcaption aria-hidden="true">
            {parts.length === 1 ? title : `${title}, ${page.part(index + 1, parts.length)}`}
          </figcaption>
        </figure>
      ))}
    </div>
  );
}
