// A host whose assistant is a scripted model, behind a real socket.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { scratchFolder } from '../scratch-folder.ts';
import { type Script, startScriptedModel } from '../scripted-model.ts';

/** The model, and what the host is started with; both end with the suite. */
export async function useScriptedModel(script: Script) {
  const model = await startScriptedModel(script);
  const dataDir = join(scratchFolder('scripted-model'), '.local');
  mkdirSync(dataDir);
  writeFileSync(join(dataDir, 'ai-api-key'), 'sk-from-the-file\n', { mode: 0o600 });
  afterAll(() => model.close());
  const assistant = { AI_PROVIDER: 'openai-compatible', AI_MODEL: 'scripted', AI_BASE_URL: model.baseUrl };
  return { model, options: { dataDir, assistant } };
}
