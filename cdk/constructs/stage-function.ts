// One deployable: services/<name>/lambda.ts, bundled.
// Guarantees: Node 24 on arm64, no Docker at build time, JSON logs kept for a month though the function goes before, and no
// permission beyond its own log group and the accesses given. Refuses: managed policies, environment variables without the permission they are for.
import { type Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Alias,
  ApplicationLogLevel,
  Architecture,
  type CfnFunction,
  Code,
  EventSourceMapping,
  type EventSourceMappingOptions,
  type IFunction,
  type IVersion,
  LoggingFormat,
  RecursiveLoop,
  Runtime,
  SystemLogLevel,
} from 'aws-cdk-lib/aws-lambda';
import { NodejsFunction } from 'aws-cdk-lib/aws-lambda-nodejs';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { bundled } from './bundle.ts';

/** Something a function may use: what it is called in the environment, and what may be done with it. */
export interface Access {
  readonly environment: Readonly<Record<string, string>>;
  readonly statements: readonly PolicyStatement[];
}

/** Settings that go with no permission; those that are undefined are left out. */
export function variables(values: Readonly<Record<string, string | undefined>>): Access {
  const given = Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return { environment: Object.fromEntries(given), statements: [] };
}

/** `environment`: what the resources are called there. */
export const permission = (
  actions: readonly string[],
  resources: readonly string[],
  environment: Access['environment'] = {},
): Access => ({
  environment,
  statements: [new PolicyStatement({ actions: [...actions], resources: [...resources] })],
});

export interface StageFunctionProps {
  /** Folder under services/. */
  readonly service: string;
  readonly description: string;
  readonly timeout: Duration;
  /** A function's share of a CPU grows with it; 1769 MB is one whole CPU. */
  readonly memorySizeMb: number;
  readonly accesses: readonly Access[];
  /** Whether its log goes with it. */
  readonly ephemeral: boolean;
  /** Concurrent invocations kept for it, which it cannot exceed either; absent: it shares the account's. */
  readonly reservedConcurrency?: number;
  /** Whether what calls it names an alias, which a release moves from version to version. */
  readonly behindAlias?: boolean;
}

/** The alias. */
export const LIVE = 'live';

/** Under this key of a function's metadata, a host that runs the source reads which module to load. */
export const ENTRY_METADATA = 'millrace:entry';

export class StageFunction extends NodejsFunction {
  /** For all that calls it: its alias, or itself. */
  readonly live: IFunction;

  constructor(scope: Construct, id: string, props: StageFunctionProps) {
    const logGroup = new LogGroup(scope, `${id}Logs`, {
      retention: RetentionDays.ONE_MONTH,
      // CloudFormation names it, never twice the same; a month later it is empty. One of a stack that was never made goes.
      removalPolicy: props.ephemeral ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    });
    const role = new Role(scope, `${id}Role`, { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    super(scope, id, {
      handler: 'index.handler',
      code: codeOf(scope, props.service),
      description: props.description,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      timeout: props.timeout,
      memorySize: props.memorySizeMb,
      ...(props.reservedConcurrency === undefined
        ? {}
        : { reservedConcurrentExecutions: props.reservedConcurrency }),
      role,
      logGroup,
      loggingFormat: LoggingFormat.JSON,
      applicationLogLevelV2: ApplicationLogLevel.INFO,
      // START, END and REPORT of every invocation would be half of the log bill.
      systemLogLevelV2: SystemLogLevel.WARN,
    });
    logGroup.grantWrite(role);
    for (const access of props.accesses) this.give(access);
    const resource = this.node.defaultChild as CfnFunction;
    resource.addMetadata(ENTRY_METADATA, `services/${props.service}/handler.ts`);
    this.live = props.behindAlias === true ? this.#createAlias() : this;
  }

  #createAlias(): IFunction {
    // The casts: the library is not written for `exactOptionalPropertyTypes`.
    const version = this.currentVersion as IVersion;
    return new Alias(this, 'Live', { aliasName: LIVE, version }) as IFunction;
  }

  /** Of the function in either case, so that its id stays, by which the sweep knows it: CloudFormation moves it to the alias in place. */
  override addEventSourceMapping(id: string, options: EventSourceMappingOptions): EventSourceMapping {
    return new EventSourceMapping(this, id, { ...options, target: this.live });
  }

  /** What is known only after the function is there. */
  give(access: Access): void {
    for (const [name, value] of Object.entries(access.environment)) this.addEnvironment(name, value);
    for (const statement of access.statements) this.addToRolePolicy(statement);
  }

  /** For work that goes on from message to message: Lambda ends a chain after about 16 of them unless it is told not to. */
  allowOwnMessages(): void {
    (this.node.defaultChild as CfnFunction).recursiveLoop = RecursiveLoop.ALLOW;
  }
}

/**
 * The bundled module, or, where the stack is synthesized without bundling (`aws:cdk:bundling-stacks`), code that refuses to
 * run: such a template is for reading, not for deploying.
 */
const codeOf = (scope: Construct, service: string): Code =>
  Stack.of(scope).bundlingRequired
    ? bundled(service)
    : Code.fromInline('throw new Error("synthesized without code");');
