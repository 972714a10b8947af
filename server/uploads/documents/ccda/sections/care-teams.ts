import type { Element } from 'slimdom';
import { concept } from '../concepts.ts';
import { all, attribute, child, first, hasTemplate, nullFlavor, sdtcChild } from '../elements.ts';
import type { FhirObject } from '../fhir-values.ts';
import { identifiers } from '../identifiers.ts';
import type { LeftOut } from '../resource-list.ts';
import type { Context, Entry, SectionKind } from '../section.ts';
import { period } from '../times.ts';

const MEMBER = '2.16.840.1.113883.10.20.22.4.500.1';

/** Care Team Organizers (C-CDA R2.1 companion guide): each a CareTeam, its Care Team Member Acts the participants. */
export const careTeams: SectionKind = {
  name: 'care teams',
  codes: ['85847-2'],
  templates: ['2.16.840.1.113883.10.20.22.2.500'],
  convert({ statement, position }: Entry, context: Context): LeftOut | null {
    if (nullFlavor(statement) !== undefined) return 'null_flavored';
    if (statement.localName !== 'organizer') return 'no_form';
    const members = all(statement, 'component/act').filter((act) => hasTemplate(act, MEMBER));
    const participant = members.flatMap((act) => participantOf(act, context));
    if (participant.length === 0) return 'no_content';
    const { patient, narrative, resources } = context;
    const type = concept(child(statement, 'code'), narrative);
    resources.add('CareTeam', position, {
      identifier: identifiers(statement),
      status: attribute(child(statement, 'statusCode'), 'code') === 'completed' ? 'inactive' : 'active',
      category: type && [type],
      name: type?.text,
      subject: patient,
      period: period(child(statement, 'effectiveTime')),
      participant,
    });
    return null;
  },
};

function participantOf(act: Element, { people, narrative }: Context): FhirObject[] {
  const member = people.performers(act)[0]?.who;
  if (member === undefined) return [];
  const performer = child(act, 'performer');
  const role =
    concept(sdtcChild(performer, 'functionCode'), narrative) ??
    concept(first(performer, 'assignedEntity/code'), narrative);
  return [{ role: role && [role], member, period: period(child(act, 'effectiveTime')) }];
}
