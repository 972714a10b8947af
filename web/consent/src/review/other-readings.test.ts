import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ReadingConsent } from '../../../../contract/account/consent.ts';
import type { ProjectId } from '../../../../contract/brands.ts';
import { en } from '../words/en.ts';
import { es } from '../words/es.ts';
import { isShared, listOtherReadings, quoteReadings } from './other-readings.ts';

const reading = (id: string, consentType: ReadingConsent['consentType']): ReadingConsent => ({
  consentType,
  project: { id: id as ProjectId, name: 'ASTHMA-7', titles: { en: 'Better breath', es: null } },
  expiresAt: '2027-01-01T00:00:00Z',
});
const APPS = reading('asthma', 'PATIENT_DIRECTED_DATA_EXCHANGE');
const DATA = reading('asthma', 'DATA_AUTHORIZATION');

const subject = (more: Partial<Parameters<typeof isShared>[0]>) => ({
  project: { id: 'asthma' },
  previous: null,
  ...more,
});

describe('what an organization reads by besides what is asked', () => {
  it('lists another consent of the same project, and one of another project', () => {
    const heart = reading('heart', 'DATA_AUTHORIZATION');
    const asked = subject({ consentType: 'DATA_AUTHORIZATION', reading: [APPS, DATA, heart] });
    assert.deepEqual(listOtherReadings(asked), [APPS, heart]);
    assert.deepEqual(listOtherReadings(subject({ reading: [APPS] })), [], 'an app asks');
  });

  it('says that something is shared before the answer', () => {
    assert.ok(isShared(subject({ consentType: 'DATA_AUTHORIZATION', reading: [APPS] })));
    assert.ok(!isShared(subject({ reading: [] })));
  });

  it('names them with the title that the person read, in their language, else in the other', () => {
    assert.equal(
      quoteReadings([DATA], en, 'en'),
      '“The organization reads your health record (Better breath)”',
    );
    assert.match(quoteReadings([DATA, APPS], es, 'es'), /^«La organización lee .* \(Better breath\)» y «/);
  });
});
