import type { Language } from '../../kit/languages.ts';

/** What the preview says besides the review. */
const en = {
  strip: 'Preview: nothing can be decided here',
  allow: (text: string) => `${text} (preview)`,
  pressed: 'On the real page this is the decision. Here nothing was sent.',
  app: 'Sample app',
  alone: 'This page shows a preview inside the console only.',
};

const es: typeof en = {
  strip: 'Vista previa: aquí no se puede decidir nada',
  allow: (text) => `${text} (vista previa)`,
  pressed: 'En la página real, esta es la decisión. Aquí no se ha enviado nada.',
  app: 'Aplicación de ejemplo',
  alone: 'Esta página muestra una vista previa solo dentro de la consola.',
};

export const PREVIEW_WORDS: Readonly<Record<Language, typeof en>> = { en, es };
