import './icon.css';

/** Strokes on a field of 24 × 24; decoration, the words beside them say the same. */
const SHAPES = {
  app: 'M5 4h6v6H5zM13 4h6v6h-6zM5 14h6v6H5zM16 14v6M13 17h6',
  building: 'M4 20h16M6 20V6l6-3 6 3v14M10 10h.01M14 10h.01M10 14h.01M14 14h.01',
  record: 'M7 3h7l4 4v14H7zM14 3v4h4M10 12h5M10 16h5',
  clock: 'M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18zM12 7.5V12l3 2',
  person: 'M12 4a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM4.5 20.5c.8-4 3.7-6 7.5-6s6.7 2 7.5 6',
  stop: 'M8 3h8l5 5v8l-5 5H8l-5-5V8zM9 12h6',
  info: 'M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18zM12 11v5M12 8h.01',
  warning: 'M12 4 2.8 20h18.4zM12 10v4.5M12 17.3h.01',
  verified: 'M12 3l7 3v5c0 5-3 8-7 10-4-2-7-5-7-10V6zM8.8 12l2.3 2.3 4.3-4.3',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  minus: 'M6 12h12',
  pen: 'M4 20l1-4.5L16.5 4 20 7.5 8.5 19zM14 6.5l3.5 3.5',
  more: 'M6 9.5l6 6 6-6',
  lock: 'M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3M12 14.5v2',
  changed: 'M4 12a8 8 0 1 0 2.6-5.9L4 8.5M4 4v4.5h4.5M12 8v4.5l3 2',
  eye: 'M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12zM12 9.5a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5z',
  search: 'M10.5 4a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13zM15.2 15.2 20 20',
  receipt: 'M6 3.5h12v17l-3-2-3 2-3-2-3 2zM9.5 8.5h5M9.5 12.5h5',
  folder: 'M3.5 6h6l2 2.5h9v10.5h-17zM12 11.5v4.5M9.7 13.7h4.6',
  download: 'M12 4v10.5M7.5 10.5 12 15l4.5-4.5M4.5 19.5h15',
  key: 'M8 8a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM12 12h9M17.5 12v3.5M20.5 12v2.5',
  leave: 'M10 4H5v16h5M14 8l4 4-4 4M18 12H9.5',
  forward: 'M9.5 6l6 6-6 6',
  backward: 'M14.5 6l-6 6 6 6',
  link: 'M10 14a4 4 0 0 0 5.7 0l3-3A4 4 0 0 0 13 5.3l-1 1M14 10a4 4 0 0 0-5.7 0l-3 3A4 4 0 0 0 11 18.7l1-1',
  mail: 'M3.5 6h17v12h-17zM4 6.5l8 6.5 8-6.5',
  waiting: 'M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18z',
  running: 'M12 3a9 9 0 1 1-9 9',
  away: 'M20 14.5A8.5 8.5 0 1 1 10 4a7 7 0 0 0 10 10.5z',
  cross: 'M6 6l12 12M18 6 6 18',
  copy: 'M9 9h10v11H9zM5 15V4h10',
  menu: 'M4 7h16M4 12h16M4 17h16',
  home: 'M4 11l8-7 8 7M6 9.5V20h12V9.5M10 20v-5h4v5',
  people:
    'M9 5a3.5 3.5 0 1 1 0 7 3.5 3.5 0 0 1 0-7zM2.5 19.5c.6-3.3 3-5 6.5-5s5.9 1.7 6.5 5M15.5 5.4a3.5 3.5 0 0 1 0 6.2M17.5 14.9c2.2.6 3.6 2.2 4 4.6',
  webhook:
    'M12 4a4 4 0 0 1 3.6 5.7l2.6 4.6M12 8l-3.4 6M6 13.5A3.5 3.5 0 1 0 9.5 17H17M18 14a3.5 3.5 0 1 1-3 5.3',
  chart: 'M4 20h16M7 16v-5M12 16V5M17 16v-8',
  scroll: 'M6 4h11v13a3 3 0 0 0 3 3H8a3 3 0 0 1-3-3V5.5M9 9h5M9 13h5',
  flask: 'M9.5 3h5M10.5 3v6L5 19a1.3 1.3 0 0 0 1.2 2h11.6A1.3 1.3 0 0 0 19 19l-5.5-10V3M8 15h8',
  book: 'M5 4h10a3 3 0 0 1 3 3v13H8a3 3 0 0 1-3-3zM5 17a3 3 0 0 1 3-3h10',
  server: 'M4 4h16v7H4zM4 13h16v7H4zM7.5 7.5h.01M7.5 16.5h.01',
  plus: 'M12 5v14M5 12h14',
} as const;

export type IconName = keyof typeof SHAPES;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg className={`icon icon-${name}`} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={SHAPES[name]} />
    </svg>
  );
}
