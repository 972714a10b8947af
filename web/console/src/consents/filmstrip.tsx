import { useState } from 'react';
import type { ConsentRecord } from '../../../../contract/organization/consent-records.ts';
import { Button } from '../../../kit/button.tsx';
import { formatNumber } from '../../../kit/format-number.ts';
import { Badge } from '../kit/badge.tsx';
import { useLanguage } from '../words/use-words.ts';
import { useConsentWords } from './use-consent-words.ts';
import type { Picture } from './use-evidence.ts';
import type { Check } from './verify-evidence.ts';

type Interactions = ConsentRecord['consentStats']['interactions'];

interface FilmstripProps {
  /** Distinguishes two of a page. */
  label?: string;
  pictures: readonly Picture[];
  checks: readonly Check[];
  interactions: Interactions;
}

/** The screens in their order with what was pressed between them, and the chosen one large. */
export function Filmstrip({ label, pictures, checks, interactions }: FilmstripProps) {
  const { detail } = useConsentWords();
  const nameScreen = useScreenNames();
  const { language } = useLanguage();
  const [chosen, setChosen] = useState(0);
  const picture = pictures[chosen] ?? pictures[0];
  const isAltered = (index: number): boolean =>
    checks.some((check) => check.name === 'picture' && check.picture === index && !check.passed);
  return (
    <div className="stack">
      <ol className="filmstrip">
        {pictures.map((each, index) => (
          <li key={each.id} className="filmstrip-item">
            {index > 0 && (
              <p className="small soft">{detail.after(formatSeconds(pictures[index - 1], each, language))}</p>
            )}
            <button
              type="button"
              className="filmstrip-screen"
              aria-pressed={index === chosen}
              onClick={() => setChosen(index)}
            >
              {each.source !== null && <img src={each.source} alt="" />}
              <span>{detail.screen(String(index + 1), nameScreen(each.screen))}</span>
            </button>
            {isAltered(index) && <Badge kind="danger">{detail.altered}</Badge>}
            <Pressed interactions={interactions} pictures={pictures} index={index} />
          </li>
        ))}
      </ol>
      {picture && <LargePicture key={picture.id} picture={picture} number={chosen + 1} label={label} />}
      <PrintedPictures pictures={pictures} />
    </div>
  );
}

/** On paper nobody chooses a picture or scrolls in it: there is each of them, whole. */
function PrintedPictures({ pictures }: Pick<FilmstripProps, 'pictures'>) {
  const { detail } = useConsentWords();
  const nameScreen = useScreenNames();
  return (
    <div className="printed-pictures">
      {pictures.map(({ id, screen, source }, index) => (
        <figure key={id}>
          <figcaption>{detail.screen(String(index + 1), nameScreen(screen))}</figcaption>
          {source === null ? <p>{detail.notThere}</p> : <img src={source} alt="" />}
        </figure>
      ))}
    </div>
  );
}

/** Returns the function that names a screen; a page of another version may have had others. */
function useScreenNames(): (screen: string) => string {
  const { detail, screenNames } = useConsentWords();
  return (screen) => screenNames[screen] ?? detail.otherScreen;
}

function formatSeconds(before: Picture | undefined, picture: Picture, language: 'en' | 'es'): string {
  const ms = before === undefined ? 0 : Date.parse(picture.takenAt) - Date.parse(before.takenAt);
  return formatNumber(Math.round(Math.max(0, ms) / 1000), language);
}

/** What was pressed from this picture on until the next. */
function Pressed({
  interactions,
  pictures,
  index,
}: Omit<FilmstripProps, 'checks' | 'label'> & { index: number }) {
  const { detail, screenActions } = useConsentWords();
  const nameScreen = useScreenNames();
  const shown = pictures[index]?.screen;
  const from = index === 0 ? -Infinity : Date.parse(pictures[index]?.takenAt ?? '');
  const until = Date.parse(pictures[index + 1]?.takenAt ?? '9999-01-01');
  const pressed = interactions.filter(({ at }) => Date.parse(at) >= from && Date.parse(at) < until);
  if (pressed.length === 0) return null;
  return (
    <ul className="filmstrip-pressed small soft">
      {pressed.map(({ at, action, screen }) => (
        <li key={`${at} ${screen} ${action}`}>
          {screen !== shown && `${nameScreen(screen)}: `}
          {screenActions[action] ?? detail.otherAction(action)}
        </li>
      ))}
    </ul>
  );
}

const ZOOMS = [50, 100, 150, 200] as const;

/** A picture has the pixels of the device it was taken on. */
function LargePicture({
  picture,
  number,
  label,
}: {
  picture: Picture;
  number: number;
  label: string | undefined;
}) {
  const { detail } = useConsentWords();
  const [zoom, setZoom] = useState(1);
  const name = detail.screen(String(number), useScreenNames()(picture.screen));
  if (picture.source === null) return <p role="alert">{detail.notThere}</p>;
  return (
    <div className="stack large-picture-view">
      <div className="page-actions">
        <Button disabled={zoom === 0} onPress={() => setZoom(zoom - 1)}>
          {detail.zoomOut}
        </Button>
        <span>{detail.zoom(String(ZOOMS[zoom]))}</span>
        <Button disabled={zoom === ZOOMS.length - 1} onPress={() => setZoom(zoom + 1)}>
          {detail.zoomIn}
        </Button>
      </div>
      {/* It scrolls by itself, so it has to take the focus. */}
      <div
        className="large-picture"
        role="region"
        aria-label={label === undefined ? detail.picture : `${label}: ${detail.picture}`}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
      >
        <img src={picture.source} alt={name} style={{ width: `${ZOOMS[zoom]}%` }} />
      </div>
    </div>
  );
}
