import type { Element } from 'slimdom';
import { concept } from '../concepts.ts';
import { all, attribute, child, children, first, hasTemplate, nullFlavor } from '../elements.ts';
import type { FhirObject } from '../fhir-values.ts';
import { identifier, identifiers } from '../identifiers.ts';
import { absentExtension } from '../null-flavors.ts';
import type { LeftOut } from '../resource-list.ts';
import type { Context, Entry, SectionKind } from '../section.ts';
import { period } from '../times.ts';

const GUARANTOR = '2.16.840.1.113883.10.20.22.4.88';

/** Payers: a Coverage for each Policy Activity of a Coverage Activity. */
export const coverage: SectionKind = {
  name: 'payers',
  codes: ['48768-6'],
  templates: ['2.16.840.1.113883.10.20.22.2.18', '2.16.840.1.113883.10.20.1.9'],
  convert({ statement, position }: Entry, context: Context): LeftOut | null {
    if (nullFlavor(statement) !== undefined) return 'null_flavored';
    const policies = all(statement, 'entryRelationship/act').filter(
      (act) => child(act, 'performer') !== undefined,
    );
    if (policies.length === 0) return 'no_form';
    for (const policy of policies) context.resources.add('Coverage', position, coverageOf(policy, context));
    return null;
  },
};

function coverageOf(policy: Element, { narrative, patient, people }: Context): FhirObject {
  const payer = children(policy, 'performer').find((one) => !hasTemplate(one, GUARANTOR));
  const entity = child(payer, 'assignedEntity');
  const payor = people.organization(child(entity, 'representedOrganization')) ?? people.assigned(entity);
  const covered = byType(policy, 'COV');
  const member = child(child(covered, 'participantRole'), 'id');
  return {
    identifier: identifiers(policy),
    status: 'active',
    type: concept(child(policy, 'code'), narrative),
    subscriberId: attribute(member, 'extension') ?? (member && idOf(member)),
    beneficiary: patient,
    relationship: concept(first(covered, 'participantRole/code'), narrative),
    period: period(child(covered, 'time')),
    payor: [payor ?? { extension: [absentExtension(undefined)] }],
  };
}

const byType = (policy: Element, code: string): Element | undefined =>
  children(policy, 'participant').find((one) => attribute(one, 'typeCode') === code);

const idOf = (id: Element): string | undefined => identifier(id)?.['value'] as string | undefined;
