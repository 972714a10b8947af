import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { renderEnrollmentMail, type EnrollmentEnding, type EnrollmentMail } from './invitation.ts';

const render = (ending: EnrollmentEnding, language: 'en' | 'es'): string =>
  renderEnrollmentMail({
    notice: 'ended',
    ending,
    to: { email: 'ana@example.com', firstName: 'Ana', language },
    projectId: 'project' as EnrollmentMail['projectId'],
    sender: {
      organizationId: 'clinic',
      name: 'Clinic',
      publicName: null,
      contact: null,
    } as unknown as EnrollmentMail['sender'],
    consentAppUrl: 'https://chartgate.example',
  }).text ?? '';

const NO_LONGER = { en: /can no longer read/, es: /Ya no puede leer/ };
const DECISIONS = { en: /your decisions/, es: /sus decisiones/ };

describe('the mail about the end of an enrollment', () => {
  for (const language of ['en', 'es'] as const) {
    it(`says that reading ends to who had said yes alone (${language})`, () => {
      assert.match(render('ended', language), NO_LONGER[language]);
      for (const ending of ['endedUnshared', 'endedUnopened'] as const) {
        assert.doesNotMatch(render(ending, language), NO_LONGER[language]);
        assert.doesNotMatch(render(ending, language), DECISIONS[language]);
      }
    });

    it(`leads to the own page who has one (${language})`, () => {
      assert.match(render('endedUnshared', language), /my-data/);
      assert.doesNotMatch(render('endedUnopened', language), /my-data/);
    });
  }
});
