import type { Element } from 'slimdom';
import { toCodeableConcept } from '../concepts.ts';
import { selectAll, getChild, selectFirst, hasTemplateId, getNullFlavor, getSdtcChild } from '../elements.ts';
import type { FhirObject } from '../fhir-values.ts';
import { toIdentifiers } from '../identifiers.ts';
import type { SkipReason } from '../resource-list.ts';
import type { Context, CdaEntry, SectionKind } from '../section.ts';
import { toPeriod } from '../times.ts';
import { getActStatus } from './clinical-status.ts';

const MEMBER = '2.16.840.1.113883.10.20.22.4.500.1';

const STATUSES = new Map([
  ['completed', 'inactive'],
  ['aborted', 'inactive'],
  ['cancelled', 'inactive'],
  ['suspended', 'suspended'],
  ['nullified', 'entered-in-error'],
]);

/** Converts Care Team Organizers (C-CDA R2.1 companion guide) to CareTeams, Care Team Member Acts to participants. */
export const careTeams: SectionKind = {
  name: 'care teams',
  codes: ['85847-2'],
  templates: ['2.16.840.1.113883.10.20.22.2.500'],
  convert({ statement, position }: CdaEntry, context: Context): SkipReason | null {
    if (getNullFlavor(statement) !== undefined) return 'null_flavored';
    if (statement.localName !== 'organizer') return 'no_form';
    const members = selectAll(statement, 'component/act').filter((act) => hasTemplateId(act, MEMBER));
    const participant = members.flatMap((act) => buildParticipants(act, context));
    if (participant.length === 0) return 'no_content';
    const { patient, narrative, resources } = context;
    const type = toCodeableConcept(getChild(statement, 'code'), narrative);
    resources.add('CareTeam', position, {
      identifier: toIdentifiers(statement),
      status: STATUSES.get(getActStatus(statement) ?? '') ?? 'active',
      category: type && [type],
      name: type?.text,
      subject: patient,
      period: toPeriod(getChild(statement, 'effectiveTime')),
      participant,
    });
    return null;
  },
};

function buildParticipants(act: Element, { people, narrative }: Context): FhirObject[] {
  const member = people.findPerformers(act)[0]?.who;
  if (member === undefined) return [];
  const performer = getChild(act, 'performer');
  const role =
    toCodeableConcept(getSdtcChild(performer, 'functionCode'), narrative) ??
    toCodeableConcept(selectFirst(performer, 'assignedEntity/code'), narrative);
  return [{ role: role && [role], member, period: toPeriod(getChild(act, 'effectiveTime')) }];
}
