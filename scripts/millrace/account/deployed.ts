// What the templates of a deployment say should be there, and what AWS says is.
import type { TemplateResource } from '#cdk/synthesize.ts';

export interface Deployed {
  /** What the last deployment was made from; null where none is kept; absent where it was not seen. */
  readonly record?: string | null;
  /** Why something was not looked at, in sentences. */
  readonly unseen: readonly string[];
  readonly alarms: readonly AlarmSeen[];
  readonly tables: readonly TableSeen[];
  readonly sources: readonly SourceSeen[];
}

export interface AlarmSeen {
  readonly name: string;
  /** Null where it is gone. */
  readonly now: { readonly state: string; readonly isOn: boolean; readonly acts: boolean } | null;
}

interface Guards {
  /** Attribute by which items expire; null: none do. */
  readonly expiry: string | null;
  readonly isRecoverable: boolean;
  readonly isProtected: boolean;
}

export interface TableSeen {
  readonly name: string;
  readonly wanted: Guards;
  /** Null where it is gone. */
  readonly now: Guards | null;
}

export interface SourceSeen {
  /** Queue. */
  readonly name: string;
  readonly state: string;
  /** Rests while its queue is empty. */
  readonly mayRest: boolean;
}

type Properties = Readonly<Record<string, unknown>>;

export function guardsIn({ Properties: table = {} }: Pick<TemplateResource, 'Properties'>): Guards {
  const {
    TimeToLiveSpecification: expiry,
    PointInTimeRecoverySpecification: recovery,
    DeletionProtectionEnabled: isProtected,
  } = table as { readonly [Name in string]?: Properties | boolean };
  const of = (value: Properties | boolean | undefined): Properties =>
    typeof value === 'object' ? value : {};
  return {
    expiry: of(expiry).Enabled === true ? String(of(expiry).AttributeName) : null,
    isRecoverable: of(recovery).PointInTimeRecoveryEnabled === true,
    isProtected: isProtected === true,
  };
}

/** Logical ids of the sources that a sweep switches: its variable names them. */
export function restingIn(resources: Readonly<Record<string, TemplateResource>>): ReadonlySet<string> {
  const named = Object.values(resources).flatMap(({ Type, Properties: lambda = {} }) => {
    const { Variables: variables } = (lambda.Environment ?? {}) as { readonly Variables?: Properties };
    const sources = Type === 'AWS::Lambda::Function' ? variables?.EVENT_SOURCES : undefined;
    return [...JSON.stringify(sources ?? null).matchAll(/"Ref":"(\w+)"/g)].map(([, id = '']) => id);
  });
  return new Set(named);
}
