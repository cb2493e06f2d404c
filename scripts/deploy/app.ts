// What `cdk synth`, `cdk diff` and `cdk deploy` run: looks at the account, and makes the templates. Settings are in
// cdk/environments; see cdk/environment-file.ts.
import { App } from 'aws-cdk-lib';
import { createApp } from '../../cdk/app.ts';
import { fileOf, settingsOf } from '../../cdk/environment-file.ts';
import { checkBeforeBundling } from './before-bundling.ts';

/** What the command line passes on, with `-c` and from cdk.json. */
function passedOn(): Readonly<Record<string, unknown>> {
  return new App({ autoSynth: false }).node.getAllContext() as Readonly<Record<string, unknown>>;
}

try {
  const context = passedOn();
  const settings = settingsOf(context);
  const file = fileOf(context);
  await checkBeforeBundling(settings, context, file);
  createApp(settings, file === undefined ? {} : { file }).synth();
} catch (error) {
  // A refused setting is a sentence, not a defect; `CDK_DEBUG` shows where it was thrown.
  console.error(process.env.CDK_DEBUG === undefined && error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
