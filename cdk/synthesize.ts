// The topology as data, for a host that is not CloudFormation: the app is synthesized in process and its stacks are joined
// into one template, in which every cross-stack import is replaced by what it imports.
// Refuses: two stacks with the same logical id, and an import that nothing exports.
import { readFileSync } from 'node:fs';
import { createApp } from './app.ts';
import type { Product } from './products.ts';

/** A CloudFormation template, as JSON. */
export interface Template {
  readonly Resources: Readonly<Record<string, TemplateResource>>;
  readonly Outputs: Readonly<Record<string, { readonly Value: unknown }>>;
}

export interface TemplateResource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
  readonly Metadata?: Readonly<Record<string, unknown>>;
  readonly DependsOn?: string | readonly string[];
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
}

export interface SynthesizeOptions {
  /** True: no deletion protection, no user pool; see cdk/settings.ts. */
  readonly ephemeral: boolean;
  /** False: functions carry no code, only the path of their source in the metadata; takes a fraction of a second. */
  readonly bundle: boolean;
  /** Folder for templates and assets; default a new temporary one. */
  readonly outdir?: string;
  /** Further settings of cdk/settings.ts by name. */
  readonly context?: Readonly<Record<string, unknown>>;
  /** Default all of them. */
  readonly products?: readonly Product[];
}

export interface Synthesized {
  /** All stacks in one: `Ref` and `Fn::GetAtt` resolve inside it; no `Fn::ImportValue` is left. */
  readonly template: Template;
  /** As CloudFormation gets them, by stack name, in an order in which they can be deployed. */
  readonly stacks: ReadonlyMap<string, Template>;
  /** Holds the templates and, with `bundle`, one `asset.<hash>` folder per function. */
  readonly outdir: string;
}

/** Needs neither network, credentials nor Docker. Throws where a setting is refused or a bundle does not build. */
export function synthesizeApp(options: SynthesizeOptions): Synthesized {
  const app = createApp(
    {
      ...options.context,
      ephemeral: options.ephemeral,
      ...(options.bundle ? {} : { 'aws:cdk:bundling-stacks': [] }),
    },
    {
      ...(options.outdir === undefined ? {} : { outdir: options.outdir }),
      ...(options.products === undefined ? {} : { products: options.products }),
    },
  );
  const assembly = app.synth();
  const stacks = new Map(
    assembly.stacks.map((stack) => [
      stack.stackName,
      JSON.parse(readFileSync(stack.templateFullPath, 'utf8')) as Template,
    ]),
  );
  return { template: join(stacks), stacks, outdir: assembly.directory };
}

function join(stacks: ReadonlyMap<string, Template>): Template {
  const resources = new Map<string, TemplateResource>();
  const outputs = new Map<string, { readonly Value: unknown }>();
  const exported = new Map<string, unknown>();
  for (const [name, stack] of stacks) {
    for (const [id, resource] of Object.entries(stack.Resources ?? {})) {
      if (resources.has(id)) throw new Error(`${name} repeats the logical id ${id} of another stack.`);
      resources.set(id, resource);
    }
    for (const [id, output] of Object.entries(stack.Outputs ?? {})) {
      const exportName = (output as { Export?: { Name?: unknown } }).Export?.Name;
      if (typeof exportName === 'string') exported.set(exportName, output.Value);
      else outputs.set(id, output);
    }
  }
  const whole = { Resources: Object.fromEntries(resources), Outputs: Object.fromEntries(outputs) };
  return resolveImports(whole, exported) as Template;
}

function resolveImports(node: unknown, exported: ReadonlyMap<string, unknown>): unknown {
  if (Array.isArray(node)) return node.map((item) => resolveImports(item, exported));
  if (typeof node !== 'object' || node === null) return node;
  if ('Fn::ImportValue' in node) {
    const name = String(node['Fn::ImportValue']);
    if (!exported.has(name)) throw new Error(`Nothing exports ${name}.`);
    return exported.get(name);
  }
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, resolveImports(value, exported)]),
  );
}
