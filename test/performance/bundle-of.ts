// Where the code of a function lies after it was synthesized with bundling.
import { join } from 'node:path';
import type { Synthesized } from '../../cdk/synthesize.ts';
import type { FunctionSpec } from '../../services/local/stack/topology.ts';

/** Path of the module with the handler. */
export function bundleOf({ template, outdir: assets }: Synthesized, { id }: FunctionSpec): string {
  const code = template.Resources[id]?.Properties?.Code as { readonly S3Key?: string } | undefined;
  return join(assets, `asset.${code?.S3Key?.replace(/\.zip$/, '')}`, 'index.mjs');
}
