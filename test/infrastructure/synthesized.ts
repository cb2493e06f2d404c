// The synthesized app as the tests of this folder look at it.
import {
  type Synthesized,
  type SynthesizeOptions,
  synthesizeApp,
  type TemplateResource,
} from '../../cdk/synthesize.ts';
import { scratchFolder } from '../support/scratch-folder.ts';

export type Named = TemplateResource & {
  readonly id: string;
  readonly Properties: Readonly<Record<string, unknown>>;
};

const cache = new Map<string, Synthesized>();
/** Products are functions: told apart by what they are, not by what they say. */
const productNumbers = new Map<unknown, number>();

/** Without bundles; the same options are synthesized once. */
export function synthesized(options: Omit<SynthesizeOptions, 'bundle' | 'outdir'>): Synthesized {
  const { products, ...settings } = options;
  const key = JSON.stringify([settings, products?.map(numberOf)]);
  const known = cache.get(key);
  if (known !== undefined) return known;
  const made = synthesizeApp({ ...options, bundle: false, outdir: scratchFolder('synth') });
  cache.set(key, made);
  return made;
}

function numberOf(product: unknown): number {
  const number = productNumbers.get(product) ?? productNumbers.size;
  productNumbers.set(product, number);
  return number;
}

export function resourcesOf({ template }: Synthesized, type?: string): readonly Named[] {
  return Object.entries(template.Resources)
    .filter(([, resource]) => type === undefined || resource.Type === type)
    .map(([id, resource]) => ({ Properties: {}, ...resource, id }));
}

/** Logical id that a `Ref` or `Fn::GetAtt` names. */
export function target(value: unknown): string {
  if (typeof value === 'object' && value !== null) {
    if ('Ref' in value) return String(value.Ref);
    if ('Fn::GetAtt' in value && Array.isArray(value['Fn::GetAtt'])) return String(value['Fn::GetAtt'][0]);
  }
  throw new Error(`${JSON.stringify(value)} is neither Ref nor Fn::GetAtt.`);
}

/** Behind a function: the folder's name in events, `<product>-<name>` elsewhere. */
export function serviceOf(lambda: TemplateResource): string {
  const entry = String(lambda.Metadata?.['millrace:entry']);
  const [, product, name] =
    /^services\/(events|helpdesk|operator)\/([a-z-]+)\/handler\.ts$/.exec(entry) ?? [];
  if (name === undefined) throw new Error(`${entry} is not the entry of a service.`);
  return product === 'events' ? name : `${product}-${name}`;
}

/** Behind the function that a `Ref` or `Fn::GetAtt` names. */
export function serviceAt({ template }: Synthesized, reference: unknown): string {
  const lambda = template.Resources[target(reference)];
  if (lambda === undefined) throw new Error(`There is no ${JSON.stringify(reference)}.`);
  return serviceOf(lambda);
}

function functionOf(app: Synthesized, service: string): Named {
  const found = resourcesOf(app, 'AWS::Lambda::Function').find((lambda) => serviceOf(lambda) === service);
  if (found === undefined) throw new Error(`There is no function ${service}.`);
  return found;
}

export const variablesOf = (app: Synthesized, service: string): Readonly<Record<string, unknown>> =>
  (functionOf(app, service).Properties.Environment as { Variables: Record<string, unknown> }).Variables;

/** CloudFront's managed policy. */
export const CACHING_DISABLED = '4135ea2d-6df8-44a3-9df3-4b5a84be39ad';

export interface Behavior {
  readonly PathPattern?: string;
  readonly TargetOriginId: string;
  readonly AllowedMethods: readonly string[];
  readonly CachePolicyId: string;
  readonly OriginRequestPolicyId?: string;
  readonly ResponseHeadersPolicyId?: unknown;
  readonly FunctionAssociations?: readonly { readonly EventType: string }[];
}

interface Distribution {
  readonly DefaultCacheBehavior: Behavior;
  readonly CacheBehaviors: readonly Behavior[];
  readonly CustomErrorResponses?: unknown;
  readonly Origins: readonly {
    readonly Id: string;
    readonly OriginAccessControlId?: unknown;
    readonly S3OriginConfig?: unknown;
    readonly OriginCustomHeaders?: readonly { readonly HeaderName: string; readonly HeaderValue: string }[];
  }[];
}

/** Of the one distribution there is. */
export function distributionOf(app: Synthesized): Distribution {
  const [found, ...others] = resourcesOf(app, 'AWS::CloudFront::Distribution');
  if (found === undefined || others.length > 0) throw new Error('There is not one distribution.');
  return found.Properties.DistributionConfig as Distribution;
}
