import type { z } from 'zod';
import type { Caller } from '../../../contract/audience.ts';
import type * as contract from '../../../contract/organization/consent-records.ts';
import { ResourceScope, SensitivityScope } from '../../../contract/data-categories.ts';
import type { ConsentRecordId, PatientId, ProjectId } from '../../../contract/brands.ts';
import { createForeignProjectRefusal } from '../../identity/organizations/projects.ts';
import type { Audit } from '../../platform/audit/append.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import { notFound } from '../../platform/kernel/refusal.ts';
import { maybeOne, type Db } from '../../platform/db/db.ts';
import { toScopesDto, type DataScopes } from '../access/sensitivity-labels.ts';
import { listCurrentParts, toStoredConsent } from '../decisions/consent-parts.ts';
import { requireDecision } from './find-patient.ts';
import { selectScopesInForce, selectStudy } from './consent-summaries.sql.ts';
import { auditView } from './audit-view.ts';

interface Deps {
  db: Db;
  clock: Clock;
  audit: Audit;
}

type ConsentedScopesDto = z.input<(typeof contract.getConsentedDataScopes)['response']>;

/** Returns what the consents of a patient to a study cover now, as pairs of category and class. */
export async function getConsentedDataScopes(
  { db, clock, audit }: Deps,
  caller: Caller,
  { patientId, studyId }: { patientId: PatientId; studyId: ProjectId },
): Promise<ConsentedScopesDto> {
  const study = await maybeOne(db, selectStudy(studyId));
  if (caller.kind !== 'patient' && study?.organization_id !== caller.organizationId)
    throw createForeignProjectRefusal();
  if (!study) throw notFound('The study');
  await requireDecision(db, caller, patientId);
  const rows = await db.query(selectScopesInForce(patientId, studyId, clock.now()));
  await auditView(audit, caller, {
    action: 'consent.record_viewed',
    patientId,
    projectId: studyId,
    detail: { view: 'consented_data_scopes' },
  });
  // Each part by itself: what one has of a class, another need not have.
  const parts = rows.flatMap((row) =>
    listCurrentParts(toStoredConsent(row), row.latest_now).map(({ scopes }) => ({
      consentRecordId: row.consent_record_id,
      ...expandScopes(scopes),
    })),
  );
  const pairs = ResourceScope.options.flatMap((resourceScope) =>
    SensitivityScope.options.map((sensitivityScope) => ({
      resourceScope,
      sensitivityScope,
      consentRecordIds: listUnique(
        parts
          .filter(
            ({ categories, classes }) =>
              categories.includes(resourceScope) && classes.includes(sensitivityScope),
          )
          .map(({ consentRecordId }): ConsentRecordId => consentRecordId),
      ),
    })),
  );
  const consented = pairs.filter(({ consentRecordIds }) => consentRecordIds.length > 0);
  return {
    consentDataScopes: consented,
    // Every category by one part of a consent, since what is read is read by one, and no class but NORMAL by any.
    fullRecordWithoutRestrictedData:
      parts.some(({ categories }) => categories.length === ResourceScope.options.length) &&
      consented.every(({ sensitivityScope }) => sensitivityScope === 'NORMAL'),
  };
}

const listUnique = <T>(items: readonly T[]): T[] => [...new Set(items)];

function expandScopes(scopes: DataScopes): { categories: ResourceScope[]; classes: SensitivityScope[] } {
  const { consentDataResourceScopes: categories, consentDataSensitivityScopes: classes } =
    toScopesDto(scopes);
  return { categories: categories ?? [...ResourceScope.options], classes: classes ?? ['NORMAL'] };
}
