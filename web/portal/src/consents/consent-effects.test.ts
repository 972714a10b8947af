import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ConsentType } from '../../../../contract/account/consent.ts';
import type { ConsentRecordId, ProjectId } from '../../../../contract/brands.ts';
import type { MyConsent as Consent } from '../../../../contract/account/my-consents.ts';
import { en } from '../words/en.ts';
import { es } from '../words/es.ts';
import {
  findWayToMore,
  formatAppGoesOn,
  formatNarrowed,
  formatOrganizationReads,
  formatStopped,
  listStopEffects,
} from './consent-effects.ts';

const APP: Consent['apps'][number] = {
  name: 'Claude',
  verifiedHost: null,
  since: '2026-01-01T00:00:00Z',
  lastReadAt: null,
  connected: true,
  clientId: 'c',
  grant: null,
};

const consent = (consentType: ConsentType, more: Partial<Consent> = {}): Consent => ({
  organization: { name: 'Lakeside' },
  project: {
    id: 'asthma' as ProjectId,
    name: 'ASTHMA-7',
    titles: { en: 'Better breath', es: 'Respirar mejor' },
  },
  consentType,
  consentRecordId: consentType as string as ConsentRecordId,
  status: 'active',
  since: '2026-01-01T00:00:00Z',
  until: '2027-01-01T00:00:00Z',
  fullRecordWithoutRestrictedData: true,
  consentDataResourceScopes: null,
  consentDataSensitivityScopes: null,
  parts: null,
  apps: [],
  ...more,
});

const DATA = consent('DATA_AUTHORIZATION');
const APPS = consent('PATIENT_DIRECTED_DATA_EXCHANGE', { apps: [APP] });
const LATER = consent('FUTURE_DATA_USE');
const english = (...consents: Consent[]) => ({ words: en, language: 'en' as const, consents });

describe('what stopping a consent says', () => {
  it('names what goes on of that organization: it reads by another yes, and apps do', () => {
    assert.deepEqual(listStopEffects(DATA, english(DATA, APPS, LATER)), [
      'Lakeside can still read your record, by another yes.',
      'This goes on: “Lakeside and apps you choose read your record (Better breath)” and “Lakeside uses your data in later research (Better breath)”. To end that too, choose “Stop sharing” there.',
      'What was read before is not taken back.',
    ]);
    assert.equal(
      formatStopped(APPS, english(DATA, APPS)),
      'You have stopped “Lakeside and apps you choose read your record (Better breath)”. No app can read your record for this project now. Lakeside can still read your record, by another yes. This goes on: “Lakeside reads your record (Better breath)”. To end that too, choose “Stop sharing” there.',
    );
  });

  it('says that the organization reads no more where no other consent of any of its projects permits it', () => {
    const other = { ...DATA, project: { ...DATA.project, id: 'heart' as ProjectId } };
    assert.match(formatStopped(DATA, english(other)), /can still read your record/);
    for (const rest of [LATER, { ...APPS, status: 'expired' as const }])
      assert.match(formatStopped(DATA, english(rest)), /Lakeside cannot read your record now\./);
    const elsewhere = { ...APPS, organization: { name: 'Hill Clinic' } };
    assert.doesNotMatch(formatStopped(DATA, english(elsewhere)), /goes on/);
    assert.deepEqual(listStopEffects(APPS, english(APPS)).slice(0, 2), [
      'These apps are stopped at once: Claude.',
      'From then on, Lakeside can no longer read your record.',
    ]);
  });

  it('speaks of no reading where the consent lets nobody read', () => {
    assert.doesNotMatch(formatStopped(LATER, english(LATER)), /read/);
    assert.match(listStopEffects(LATER, english(LATER)).join(' '), /research that begins later/);
  });

  it('calls the project as the person read it, in their language, else in the other', () => {
    const context = { words: es, language: 'es' as const, consents: [] };
    assert.match(formatStopped(DATA, context), /«Lakeside lee su historial \(Respirar mejor\)»/);
    const onlyEnglish = { ...DATA.project, titles: { en: 'Better breath', es: null } };
    assert.match(formatStopped({ ...DATA, project: onlyEnglish }, context), /\(Better breath\)/);
    const wordless = { ...DATA.project, titles: { en: null, es: null } };
    assert.match(formatStopped({ ...DATA, project: wordless }, context), /\(ASTHMA-7\)/);
  });
});

describe('what narrowing a consent says', () => {
  it('names another consent that may share what was taken out', () => {
    assert.equal(
      formatNarrowed(DATA, english(DATA, APPS, LATER)),
      'Saved. From now on you share less by “Lakeside reads your record (Better breath)”. This stays as it is, and may share what you take out here: “Lakeside and apps you choose read your record (Better breath)”.',
    );
    assert.doesNotMatch(formatNarrowed(DATA, english(DATA, LATER)), /stays as it is/);
  });
});

describe('what disconnecting an app says', () => {
  it('names where the same app reads all the same', () => {
    const other = { ...APPS, project: { ...APPS.project, id: 'heart' as ProjectId } };
    assert.match(formatAppGoesOn(APP, APPS, english(APPS, other)) ?? '', /^Claude can still read/);
    assert.equal(formatAppGoesOn(APP, APPS, english(APPS, DATA)), null);
  });

  it('says whether the organization reads now: by the same consent, by another, or no more', () => {
    const over = { ...APPS, status: 'withdrawn' as const };
    assert.equal(formatOrganizationReads(APPS, english(APPS)), 'Lakeside can still read what you share.');
    assert.match(formatOrganizationReads(APPS, english(DATA, over)), /can still read .+ by another yes/);
    for (const rest of [[], [over], [over, LATER]])
      assert.equal(formatOrganizationReads(APPS, english(...rest)), 'Lakeside cannot read your record now.');
  });
});

describe('the way to share more', () => {
  it('leads to the invitation where the project asks, to the app where one may, else to the organization', () => {
    const invitation = {
      studyId: 'asthma' as ProjectId,
      organization: { name: 'Lakeside' },
      project: DATA.project,
      consentTypes: ['DATA_AUTHORIZATION' as const],
    };
    assert.equal(findWayToMore(DATA, [invitation]), 'invitation');
    assert.equal(findWayToMore(APPS, [invitation]), 'app');
    assert.equal(findWayToMore(LATER, [invitation]), 'ask');
  });
});
