import '../../kit/tokens.css';
import '../../kit/base.css';
import { createRoot } from 'react-dom/client';
import { getContainer } from '../../patient/render-app.tsx';
import { Preview } from './preview.tsx';
import { PREVIEW_PATH } from './preview-message.ts';
import { PREVIEW_WORDS } from './words.ts';
import { createElement } from 'react';

/** Opened by itself it shows no review, so that nobody is led to one that decides nothing. */
const isFramed = parent !== window;

const baseUrl = location.origin + location.pathname.split(PREVIEW_PATH)[0];

if (isFramed) createRoot(getContainer()).render(createElement(Preview, { baseUrl }));
else getContainer().textContent = `${PREVIEW_WORDS.en.alone} ${PREVIEW_WORDS.es.alone}`;
