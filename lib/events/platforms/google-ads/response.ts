// What the Data Manager API says of conversion actions. All else: ../google-ingest/response.ts.
import type { NormalizedEvent } from '../../domain/event/normalized-event.ts';
import { type Destinations, dataManagerErrors, type Violation } from '../google-ingest/response.ts';

export const GOOGLE_ADS_DESTINATIONS: Destinations = {
  vendor: 'google_ads',
  errors: dataManagerErrors(
    [
      'DESTINATION_ACCOUNT_NOT_ENABLED_ENHANCED_CONVERSIONS_FOR_LEADS',
      'DESTINATION_ACCOUNT_DATA_POLICY_PROHIBITS_ENHANCED_CONVERSIONS',
      'DESTINATION_ACCOUNT_ENHANCED_CONVERSIONS_TERMS_NOT_SIGNED',
      'EU_POLITICAL_ADVERTISING_DECLARATION_REQUIRED',
    ],
    [
      '*',
      ['INVALID_CONVERSION_ACTION_ID', 'INVALID_CONVERSION_ACTION_TYPE'],
      'setting_refused',
      'the events of the action, alone',
    ],
  ),
  onlySettings: false,
  isAtFault: withAction,
};

/**
 * Events of the conversion actions that `destinations[n]` names: actions stand in the order of the first event of each, so by
 * the names of events. Where no name is said, all of a request of one name; others are found by splitting. Names that share an
 * action may be taken for one another: they wait an hour longer.
 */
function withAction(
  named: readonly Violation[],
  events: readonly NormalizedEvent[],
): (event: NormalizedEvent) => boolean {
  const actionName = ({ name }: NormalizedEvent): string => (name === 'Refund' ? 'Purchase' : name);
  const names = [...new Set(events.map(actionName))];
  const faulty = new Set(named.map(({ destination = -1 }) => names[destination]));
  return (event) => names.length === 1 || faulty.has(actionName(event));
}
