// The host that `npm start` runs on this machine, as its session file describes it.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { readSettings } from '../../services/local/settings.ts';
import { REGION } from '../deploy-local/endpoint.ts';
import { type Deployment, queueUrlsIn, tablesIn } from './deployment.ts';

const session = z.object({
  ingestion_url: z.string(),
  api_url: z.string(),
  helpdesk_url: z.string(),
  dashboard_url: z.string(),
  dynamodb_url: z.string(),
  sqs_url: z.string(),
  operator_url: z.string(),
  operator_reader_url: z.string(),
  operator_token: z.string(),
  outputs: z.record(z.string(), z.string()),
});

/** Rejects with a sentence where none runs. Clients of AWS in this process ask its emulators from then on. */
export async function localDeployment(): Promise<Deployment> {
  const { dataDir } = readSettings(process.env, process.cwd());
  const read = session.safeParse(
    await readFile(join(dataDir, 'session.json'), 'utf8').then(JSON.parse, () => null),
  );
  if (!read.success)
    throw new Error(
      `No host of this release runs in ${dataDir}: npm start, or name its folder with MILLRACE_DATA_DIR.`,
    );
  const said = read.data;
  if (
    !(await fetch(`${said.operator_url}/`).then(
      () => true,
      () => false,
    ))
  )
    throw new Error(`The host of ${dataDir} does not answer at ${said.operator_url}: npm start.`);
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_DYNAMODB: said.dynamodb_url,
    AWS_ENDPOINT_URL_SQS: said.sqs_url,
    AWS_REGION: REGION,
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
  });
  const outputs = new Map(Object.entries(said.outputs));
  return {
    region: 'local',
    token: said.operator_token,
    logFile: join(dataDir, 'millrace.log'),
    operatorUrl: said.operator_url,
    readerUrl: said.operator_reader_url,
    ingestionUrl: said.ingestion_url,
    apiUrl: said.api_url,
    helpdeskUrl: said.helpdesk_url,
    dashboardUrl: said.dashboard_url,
    environment: undefined,
    stacks: [],
    queueUrls: queueUrlsIn(outputs),
    tables: tablesIn(outputs),
  };
}
