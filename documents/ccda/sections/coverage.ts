import type { Element } from 'slimdom';
import { toCodeableConcept } from '../concepts.ts';
import {
  selectAll,
  getAttribute,
  getChild,
  getChildren,
  selectFirst,
  hasTemplateId,
  getNullFlavor,
} from '../elements.ts';
import type { FhirObject } from '../fhir-values.ts';
import { toIdentifier, toIdentifiers } from '../identifiers.ts';
import { buildAbsentExtension } from '../null-flavors.ts';
import type { SkipReason } from '../resource-list.ts';
import type { Context, CdaEntry, SectionKind } from '../section.ts';
import { toPeriod } from '../times.ts';
import { getGroupedStatus } from './clinical-status.ts';

const GUARANTOR = '2.16.840.1.113883.10.20.22.4.88';

/** Converts payers: a Coverage for each Policy Activity of a Coverage Activity. */
export const coverage: SectionKind = {
  name: 'payers',
  codes: ['48768-6'],
  templates: ['2.16.840.1.113883.10.20.22.2.18', '2.16.840.1.113883.10.20.1.9'],
  convert({ statement, position }: CdaEntry, context: Context): SkipReason | null {
    if (getNullFlavor(statement) !== undefined) return 'null_flavored';
    const policies = selectAll(statement, 'entryRelationship/act').filter(
      (act) => getChild(act, 'performer') !== undefined,
    );
    if (policies.length === 0) return 'no_form';
    for (const policy of policies)
      context.resources.add('Coverage', position, buildCoverage(policy, context));
    return null;
  },
};

const STATUSES = new Map([
  ['aborted', 'cancelled'],
  ['cancelled', 'cancelled'],
  ['nullified', 'entered-in-error'],
]);

function buildCoverage(policy: Element, { narrative, patient, people }: Context): FhirObject {
  const payer = getChildren(policy, 'performer').find((one) => !hasTemplateId(one, GUARANTOR));
  const entity = getChild(payer, 'assignedEntity');
  const payor =
    people.resolveOrganization(getChild(entity, 'representedOrganization')) ?? people.resolveAssigned(entity);
  const covered = findParticipant(policy, 'COV');
  const member = getChild(getChild(covered, 'participantRole'), 'id');
  return {
    identifier: toIdentifiers(policy),
    status: STATUSES.get(getGroupedStatus(policy) ?? '') ?? 'active',
    type: toCodeableConcept(getChild(policy, 'code'), narrative),
    subscriberId: getAttribute(member, 'extension') ?? (member && getIdValue(member)),
    beneficiary: patient,
    relationship: toCodeableConcept(selectFirst(covered, 'participantRole/code'), narrative),
    period: toPeriod(getChild(covered, 'time')),
    payor: [payor ?? { extension: [buildAbsentExtension(undefined)] }],
  };
}

const findParticipant = (policy: Element, code: string): Element | undefined =>
  getChildren(policy, 'participant').find((one) => getAttribute(one, 'typeCode') === code);

const getIdValue = (id: Element): string | undefined => toIdentifier(id)?.['value'] as string | undefined;
