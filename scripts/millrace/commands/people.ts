import * as z from 'zod';
import { MEMBER_ROLES } from '#lib/core/tenancy/role.ts';
import { type Command, textOf, UsageProblem } from '../command.ts';
import { idOf, minute } from '../merchant-views.ts';
import { table } from '../table.ts';

const role = z.enum(MEMBER_ROLES);
const invited = z.object({
  person: z.object({
    email: z.string(),
    subject: z.string(),
    role,
    state: z.enum(['invited', 'known']),
    is_new: z.boolean(),
  }),
});
const listed = z.object({
  people: z.array(
    z.object({
      email: z.string().nullable(),
      role,
      subject: z.string(),
      joined_at: z.string().nullable(),
    }),
  ),
  invitations: z.array(z.object({ email: z.string().nullable(), role, expires_at: z.string() })),
});

export const invitePerson: Command = {
  name: 'people invite',
  takes: ['<merchant>', '<e-mail>'],
  purpose: 'Makes a person a member of a merchant, in the user pool as well; repeated, nothing twice.',
  options: {
    role: { type: 'string', value: MEMBER_ROLES.join('|'), help: 'what the person may do' },
    subject: {
      type: 'string',
      value: 'sub',
      help: 'of the person at your own issuer, where the deployment has no user pool of its own',
    },
  },
  prepare(given) {
    const wanted = role.safeParse(textOf(given, 'role'));
    if (!wanted.success)
      throw new UsageProblem(`Say what the person may do: --role ${MEMBER_ROLES.join(', ')}`);
    const [merchant = '', email = ''] = given.positionals;
    return async ({ ask }) => {
      const body = {
        merchant: await idOf(ask, merchant),
        email,
        role: wanted.data,
        subject: textOf(given, 'subject'),
      };
      const { person } = await ask('people/invite', body, invited);
      const how = person.is_new ? `is ${person.role} now` : `was ${person.role} already`;
      const mail = person.state === 'invited' ? '; a mail brings the first password' : '';
      return { json: person, text: `${person.email} ${how}${mail}  (${person.subject})\n` };
    };
  },
};

export const listPeople: Command = {
  name: 'people list',
  takes: ['<merchant>'],
  purpose: 'The members of a merchant and its open invitations.',
  prepare:
    ({ positionals: [merchant = ''] }) =>
    async ({ ask }) => {
      const json = await ask('people/list', { merchant: await idOf(ask, merchant) }, listed);
      const rows = [
        ...json.people.map(({ email, role, subject, joined_at }) => [
          email ?? '?',
          role,
          joined_at === null ? '' : minute(joined_at),
          subject,
        ]),
        ...json.invitations.map(({ email, role, expires_at }) => [
          email ?? '?',
          role,
          `invited until ${minute(expires_at)}`,
          '',
        ]),
      ];
      return { json, text: table(['E-MAIL', 'ROLE', 'SINCE', 'SUBJECT'], rows) || 'It has no people.\n' };
    },
};
