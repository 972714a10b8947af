import type { StagedAnswers } from './staged-answers.ts';

/** What draws the evidence, by the name that the build gives it. */
const LIBRARY = /\/consent\/assets\/snapdom-[\w-]+\.js$/;

/** As the library draws an element: a PNG of its size and background, without what stands in it. */
const PLAIN = `export const snapdom = async (element, { backgroundColor }) => ({
  toBlob({ scale }) {
    const { width, height } = element.getBoundingClientRect();
    const canvas = document.createElement('canvas');
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
    const context = canvas.getContext('2d');
    context.fillStyle = backgroundColor;
    context.fillRect(0, 0, canvas.width, canvas.height);
    return new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
  },
});`;

/**
 * For tests of what a decision leads to, which look at no picture: the page takes, sends and waits for each as ever, but to
 * draw one costs a second of a core, half of what coming to a decision costs. What is drawn is looked at in
 * `test/browser/evidence.test.ts` and drawn in `end-to-end`, `clinic-first-day`, `preparation` and `hostile.test.ts`.
 */
export const servePlainPictures = (answers: StagedAnswers): void => answers.serveScript(LIBRARY, PLAIN);
