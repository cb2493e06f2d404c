// What becomes of deliveries, as figures: refusals are counted, and a connection that stops taking events is an alarm. The lines
// come from lib/adapters/logger/delivery-lines.ts.
import type { Alarms, LoggingFunction } from '../alarms.ts';

export function watchDeliveries(alarms: Alarms, deliver: LoggingFunction): void {
  alarms.countMetric('RefusedDeliveries', deliver, 'refused_deliveries');
  alarms.watchMetric('ConnectionPaused', deliver, {
    metric: 'connections_paused',
    alarmDescription:
      'A platform refuses the credentials of a merchant’s connection, which is paused: its events wait. The log line names both.',
  });
}
