import { systemPause } from '#lib/adapters/clock/system-clock.ts';
import { createSqsClient } from '#lib/adapters/sqs/client.ts';
import { createFunctionBase, type FunctionHandler } from '#lib/functions/function-base.ts';
import { helpdeskPorts } from '#lib/functions/helpdesk-ports.ts';
import { restingSources } from '#lib/functions/resting-sources.ts';
import {
  CARRY_OUT_VARIABLES,
  helpdeskEnvironment,
  type RawEnvironment,
  readEnvironment,
} from '#lib/helpdesk/domain/account/environment.ts';
import { runSweep } from './stage.ts';

const variables = helpdeskEnvironment.pick({ ...CARRY_OUT_VARIABLES, EVENT_SOURCES: true });

export async function createHandler(env: RawEnvironment): Promise<FunctionHandler> {
  const settings = readEnvironment(variables, env);
  const base = createFunctionBase('helpdesk-sweep', settings);
  const sqs = createSqsClient();
  const ports = {
    ...helpdeskPorts(base, settings, sqs),
    quarantine: base.quarantine.records,
    pause: systemPause,
  };
  const tend = restingSources(base, sqs, settings.EVENT_SOURCES, {
    Deliveries: settings.HELPDESK_DELIVERIES_QUEUE_URL,
    RunWork: settings.HELPDESK_RUNS_QUEUE_URL,
    MailWork: settings.HELPDESK_MAILS_QUEUE_URL,
    TaskWork: settings.HELPDESK_TASKS_QUEUE_URL,
  });
  return async () => {
    const [report] = await Promise.all([runSweep(ports), tend()]);
    if (report.looks > 0) base.logger.info(report, 'swept');
    return report;
  };
}
