// A stand-in for conversions of Google Ads at datamanager.googleapis.com/v1/events:ingest. What all products share, and what would be
// rejected later, is in ../google-ingest.

import { defineSandbox, nameByEventId } from '../define-sandbox.ts';
import { dataManagerSandbox, eventRefusals, type Refusal } from '../google-ingest/sandbox.ts';
import { type Fields, listOf, record, recordsOf } from '../reading.ts';

const DESTINATIONS_MAX = 10;
const AGE_MAX_MS = 90 * 86_400_000;

export const sandbox = defineSandbox<readonly Refusal[]>({
  ...dataManagerSandbox('sandbox', destinationRefusals),
  slug: 'google_ads',
  dedupeWindowSec: 0,
  login: ['customer_id', 'refresh_token'],
  nameOf: nameByEventId,
  seen: {
    name: ({ destinationReferences }) => listOf(destinationReferences)[0],
    id: 'transactionId',
    value: 'conversionValue',
    currency: 'currency',
  },
  refusalOf: (event, call, index) =>
    eventRefusals(event, call, `events[${index}]`, AGE_MAX_MS, (refuse) => {
      const references = referencesOf(call.body.destinations);
      if (listOf(event.destinationReferences).some((reference) => !references.includes(reference)))
        refuse('destination_references', 'INVALID_DESTINATION', 'Unknown destination.');
      const people = recordsOf(record(event.userData)?.userIdentifiers);
      if (people.length === 0 && Object.keys(record(event.adIdentifiers) ?? {}).length === 0)
        refuse(
          'user_data',
          'NO_IDENTIFIERS_PROVIDED',
          'Event contains no user identifiers or ad identifiers.',
        );
    }),
});

function destinationRefusals(destinations: readonly Fields[]): readonly Refusal[] {
  const refusals: Refusal[] = [];
  const refuse = (field: string, reason: string, description: string): void => {
    refusals.push({ field, reason, description });
  };
  if (destinations.length > DESTINATIONS_MAX)
    refuse('destinations', 'TOO_MANY_DESTINATIONS', `At most ${DESTINATIONS_MAX} destinations.`);
  if (new Set(referencesOf(destinations)).size < destinations.length)
    refuse('destinations', 'DUPLICATE_DESTINATION_REFERENCE', 'References must be unique.');
  destinations.forEach(({ productDestinationId }, index) => {
    if (!/^\d+$/.test(String(productDestinationId)))
      refuse(`destinations[${index}]`, 'INVALID_CONVERSION_ACTION_ID', 'Conversion action ID is not valid.');
  });
  return refusals;
}

const referencesOf = (destinations: unknown): readonly unknown[] =>
  recordsOf(destinations).map(({ reference }) => reference);
