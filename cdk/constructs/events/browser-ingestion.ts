// Ingestion without a credential: a function of its own, so that whoever calls it takes no concurrency from the servers of
// merchants, and holds no permission of theirs.
import type { Construct } from 'constructs';
import { ENV } from '#lib/events/domain/topology.ts';
import { INGESTION_MB } from '../../memory-sizes.ts';
import type { Settings } from '../../settings.ts';
import type { Alarms } from '../alarms.ts';
import { HTTP_TIMEOUT, HttpFunction, ownShare } from '../http-function.ts';
import { logging } from '../setting-accesses.ts';
import type { Access } from '../stage-function.ts';
import { ceilings } from './ceilings.ts';

export interface BrowserIngestionProps {
  readonly settings: Settings;
  readonly alarms: Alarms;
  readonly accesses: readonly Access[];
}

export class BrowserIngestion extends HttpFunction {
  constructor(scope: Construct, id: string, { settings, alarms, accesses }: BrowserIngestionProps) {
    super(scope, id, {
      service: 'events/browser-ingestion',
      description: 'Accepts events of browsers, which have no credential, and serves the pixel',
      timeout: HTTP_TIMEOUT,
      memorySizeMb: INGESTION_MB,
      ...ownShare(settings, 'browserConcurrency'),
      accesses: [...accesses, edgeAccess(settings.edge), ceilings(settings), logging(settings)],
    });
    alarms.watchMetric('BrowserLimitReached', this, {
      metric: 'browser_limit_reached',
      alarmDescription:
        'A merchant has reached its ceiling of browser events a minute: events are refused with 429.',
    });
  }
}

function edgeAccess(edge: Settings['edge']): Access {
  const environment =
    edge === undefined ? {} : { [ENV.edgeSecret]: edge.secret, [ENV.edgeAddressHeader]: edge.addressHeader };
  return { environment, statements: [] };
}
