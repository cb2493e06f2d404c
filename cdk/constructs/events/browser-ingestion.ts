// Ingestion without a credential: a function of its own, so that whoever calls it takes no concurrency from the servers of
// merchants, and holds no permission of theirs.
import type { Construct } from 'constructs';
import { ENV } from '../../../lib/events/domain/topology.ts';
import { INGESTION_MB } from '../../memory-sizes.ts';
import type { Settings } from '../../settings.ts';
import type { Alarms } from '../alarms.ts';
import { HTTP_TIMEOUT, HttpFunction } from '../http-function.ts';
import type { Access } from '../stage-function.ts';

export interface BrowserIngestionProps {
  readonly settings: Settings;
  readonly alarms: Alarms;
  readonly accesses: readonly Access[];
}

export class BrowserIngestion extends HttpFunction {
  constructor(scope: Construct, id: string, { settings, alarms, accesses }: BrowserIngestionProps) {
    const { browserConcurrency, ephemeral, edge } = settings;
    super(scope, id, {
      service: 'events/browser-ingestion',
      description: 'Accepts events of browsers, which have no credential, and serves the pixel',
      timeout: HTTP_TIMEOUT,
      memorySizeMb: INGESTION_MB,
      // An emulator's account has nothing else to protect, and may not know how.
      ...(browserConcurrency === 0 || ephemeral ? {} : { reservedConcurrency: browserConcurrency }),
      accesses: [...accesses, edgeAccess(edge)],
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
