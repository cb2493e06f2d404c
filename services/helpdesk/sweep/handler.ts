import { systemPause } from '#lib/adapters/clock/system-clock.ts';
import { createFunctionBase, type FunctionHandler } from '#lib/functions/function-base.ts';
import { helpdeskPorts } from '#lib/functions/helpdesk-ports.ts';
import {
  CARRY_OUT_VARIABLES,
  helpdeskEnvironment,
  type RawEnvironment,
  readEnvironment,
} from '#lib/helpdesk/domain/account/environment.ts';
import { runSweep } from './stage.ts';

const variables = helpdeskEnvironment.pick(CARRY_OUT_VARIABLES);

export async function createHandler(env: RawEnvironment): Promise<FunctionHandler> {
  const settings = readEnvironment(variables, env);
  const base = createFunctionBase('helpdesk-sweep', settings);
  const ports = {
    ...helpdeskPorts(base, settings),
    quarantine: base.quarantine.records,
    pause: systemPause,
  };
  return async () => {
    const report = await runSweep(ports);
    if (report.looks > 0) base.logger.info(report, 'swept');
    return report;
  };
}
