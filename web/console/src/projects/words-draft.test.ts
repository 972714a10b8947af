import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ProjectContent } from '../../../../contract/organization/projects.ts';
import { buildVersion, findDraftFaults, getFieldId, findRefused, readDraft } from './words-draft.ts';

const CONTENT = ProjectContent.parse({ en: { title: 'Sleep', purpose: 'How people sleep.' } });
const OWN = ProjectContent.parse({ es: { title: 'Después', purpose: 'Más tarde.' } });
const VERSION = {
  content: CONTENT,
  consentTypes: [
    { type: 'FUTURE_DATA_USE' as const, content: OWN },
    { type: 'DATA_AUTHORIZATION' as const, content: null },
  ],
};

describe('the words that are being written', () => {
  it('come back as they were, those of a consent of its own too', () => {
    assert.deepEqual(buildVersion(readDraft(VERSION)), VERSION);
    const draft = { ...readDraft(VERSION), types: ['DATA_AUTHORIZATION' as const] };
    assert.deepEqual(buildVersion(draft).consentTypes, [{ type: 'DATA_AUTHORIZATION', content: null }]);
  });

  it('have the faults of what would be published, each at its field', () => {
    const draft = readDraft(VERSION);
    const own = { FUTURE_DATA_USE: { 'es.title': 'Después' } } as const;
    const [fault, ...more] = findDraftFaults({ ...draft, own });
    assert.deepEqual([fault, more], [{ type: 'FUTURE_DATA_USE', field: 'es.purpose', fault: 'missing' }, []]);
    assert.equal(getFieldId('es.purpose', 'FUTURE_DATA_USE'), 'FUTURE_DATA_USE.es.purpose');
    assert.deepEqual(findDraftFaults({ ...draft, own, types: [] }), []);
  });

  it('have what the service refuses at its field', () => {
    const draft = readDraft(VERSION);
    const nameField = (path: string) => {
      const found = findRefused(draft, path);
      return found && getFieldId(found.field, found.type);
    };
    assert.equal(nameField('content.en.purpose'), 'en.purpose');
    assert.equal(nameField('consentTypes.0.content.es.title'), 'FUTURE_DATA_USE.es.title');
    assert.equal(nameField('consentTypes[1].content.en.title'), 'DATA_AUTHORIZATION.en.title');
    assert.equal(nameField('consentTypes'), null);
  });
});
