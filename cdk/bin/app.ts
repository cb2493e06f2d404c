// What `cdk synth`, `cdk diff` and `cdk deploy` run. Settings are in cdk/environments; see cdk/environment-file.ts.
import { App } from 'aws-cdk-lib';
import { createApp } from '../app.ts';
import { settingsOf } from '../environment-file.ts';

/** What the command line passes on, with `-c` and from cdk.json. */
function passedOn(): Readonly<Record<string, unknown>> {
  return new App({ autoSynth: false }).node.getAllContext() as Readonly<Record<string, unknown>>;
}

try {
  createApp(settingsOf(passedOn())).synth();
} catch (error) {
  // A refused setting is a sentence, not a defect; `CDK_DEBUG` shows where it was thrown.
  console.error(process.env.CDK_DEBUG === undefined && error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
