// What a connection asks of events itself, on the wire.
import * as z from 'zod';
import { CONSENT_SIGNALS } from '../../domain/event/consent.ts';
import { ruleMatchSchema } from '../../domain/rules/rule.ts';

const OWN_COUNTRIES_MAX = 50;
const OWN_EVENTS_MAX = 50;
export const ownRules = {
  events: ruleMatchSchema.shape.event_name.unwrap().max(OWN_EVENTS_MAX).nullable().meta({
    id: 'OwnEvents',
    description:
      'Its own list of events, by names as rules take them: it gets no others. Null: all. From the next event on.',
  }),
  consent: z
    .strictObject({
      require: z
        .array(z.enum(CONSENT_SIGNALS))
        .min(1)
        .max(CONSENT_SIGNALS.length)
        .refine((list) => new Set(list).size === list.length, 'must not name a signal twice'),
      countries: ruleMatchSchema.shape.country.unwrap().max(OWN_COUNTRIES_MAX).exactOptional().meta({
        description:
          'Only of people in these countries, or whose country is not known (ISO 3166-1 in capitals). Absent: of all.',
      }),
    })
    .nullable()
    .meta({
      id: 'OwnConsent',
      description:
        'Signals that must have been granted besides what the platform asks for; what waits is held against it as well. Null: none.',
    }),
};
