import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ConsentType } from '../../../contract/account/consent.ts';
import { PREVIEW_ORIGIN, readPreviewMessage, readPreviewReport } from './preview-message.ts';

const [parent, other] = [{}, {}];
const SENDER = { window: parent, origin: 'https://chartgate.example' };
const SHOWN = {
  requester: 'app',
  organization: { name: 'Clinic', contact: null, brand: null },
  projectName: 'Sleep',
  content: null,
  language: 'en',
  scheme: 'dark',
};
const receive = (data: unknown, from: { source?: object | null; origin?: string } = {}) => ({
  data,
  source: parent,
  origin: SENDER.origin,
  ...from,
});
const read = (shown: unknown, from = {}) =>
  readPreviewMessage(receive({ chartgatePreview: 'show', shown }, from), SENDER);

describe('a message to the preview', () => {
  it('case 316: counts only when the page around it, of the same origin, sent it', () => {
    for (const requester of ['app', ...ConsentType.options])
      assert.deepEqual(read({ ...SHOWN, requester }), { ...SHOWN, requester });
    assert.equal(read(SHOWN, { source: other }), null);
    assert.equal(read(SHOWN, { source: null }), null);
    assert.equal(read(SHOWN, { origin: 'https://evil.example' }), null);
    assert.equal(read(SHOWN, { origin: 'null' }), null);
    assert.equal(
      readPreviewMessage(receive({ chartgatePreview: 'show' }, { source: null }), {
        ...SENDER,
        window: null,
      }),
      null,
    );
  });

  it('shows nothing when it says something else', () => {
    for (const wrong of [
      null,
      'app',
      { ...SHOWN, requester: 'constructor' },
      { ...SHOWN, language: 'fr' },
      { ...SHOWN, client: 'Evil' },
      { ...SHOWN, client: null },
      { ...SHOWN, scheme: undefined },
      { ...SHOWN, organization: null },
      { ...SHOWN, content: 'x' },
    ])
      assert.equal(read(wrong), null, JSON.stringify(wrong));
    assert.equal(readPreviewMessage(receive({ chartgatePreview: 'ready' }), SENDER), null);
    assert.equal(readPreviewMessage(receive('text'), SENDER), null);
  });

  it('comes back as a report, which is read as carefully', () => {
    const ready = { chartgatePreview: 'ready' };
    const frame = { window: parent, origin: PREVIEW_ORIGIN };
    const fromFrame = { origin: PREVIEW_ORIGIN };
    assert.deepEqual(readPreviewReport(receive(ready, fromFrame), frame), ready);
    assert.equal(readPreviewReport(receive(ready, { ...fromFrame, source: other }), frame), null);
    assert.equal(readPreviewReport(receive(ready), frame), null);
    const chosen = { chartgatePreview: 'language', language: 'es' };
    assert.deepEqual(readPreviewReport(receive(chosen, fromFrame), frame), chosen);
    assert.equal(readPreviewReport(receive({ ...chosen, language: 'xx' }, fromFrame), frame), null);
  });
});
