// Where requests to platforms go instead, in deployments for tests: a variable, no permission.
import { ENV } from '#lib/events/domain/topology.ts';
import type { Settings } from '../../settings.ts';
import type { Access } from '../stage-function.ts';

export function sandbox({ sandboxUrl }: Settings): Access {
  return {
    environment: sandboxUrl === undefined ? {} : { [ENV.sandboxUrl]: sandboxUrl },
    statements: [],
  };
}
