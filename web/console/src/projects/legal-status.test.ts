import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ProjectContent } from '../../../../contract/organization/projects.ts';
import { rateVersion } from './legal-status.ts';

const HARD =
  'Longitudinal epidemiological characterization of interindividual variability necessitates comprehensive retrospective documentation.';

describe('what the words do for an authorization', () => {
  it('is judged in each language that is begun, and of the words of a consent of its own', () => {
    const content = ProjectContent.parse({
      en: { title: 'Sleep', purpose: 'We look at how you sleep. We read your record twice a year.' },
      es: { title: 'Sueño', purpose: 'Poco.' },
    });
    const own = ProjectContent.parse({ en: { title: 'Later', purpose: HARD } });
    const rated = rateVersion({ content, consentTypes: [{ type: 'FUTURE_DATA_USE', content: own }] });
    assert.deepEqual(
      rated.map(({ type, language, hasPurpose, reading }) => [type, language, hasPurpose, reading?.isPlain]),
      [
        [null, 'en', true, true],
        [null, 'es', true, undefined],
        ['FUTURE_DATA_USE', 'en', true, false],
      ],
    );
  });

  it('is missing where nothing is written', () => {
    assert.deepEqual(rateVersion({ content: null, consentTypes: [] }), [
      { type: null, language: 'en', hasPurpose: false, reading: null },
    ]);
  });
});
