// What `cdk synth`, `cdk diff` and `cdk deploy` run. Settings come from `-c name=value`; see cdk/settings.ts.
import { createApp } from '../app.ts';

createApp().synth();
