// What stands in front of the functions: a domain, a distribution, and how functions know that a request came through it.
import { VISITOR_HEADER } from '../lib/events/domain/sign-up.ts';
import { MAIL_DOMAIN as DOMAIN } from '../lib/helpdesk/domain/mail/environment.ts';
import { type Context, flag, parameterName, text } from './context.ts';
import { parameterOf } from './stack-names.ts';

export interface EdgeSettings {
  /** Said in the settings, or in a parameter of this name. */
  readonly secret: string | { readonly parameter: string };
  readonly addressHeader: string;
}

/** Names of the deployment's own, in front of everything. */
export interface DomainSettings {
  /** One at least. */
  readonly names: readonly string[];
  readonly account: string;
  readonly region: string;
  readonly zone: string | undefined;
  /** Absent: made in the zone. */
  readonly certificate: string | undefined;
  readonly firewall: boolean;
  readonly accessLogs: boolean;
}

export function readEdge(context: Context): EdgeSettings | undefined {
  const isOurs = flag(context, 'oneOrigin') || text(context, 'domain') !== undefined;
  const given = text(context, 'edgeAddressHeader');
  if (isOurs && given !== undefined)
    throw new Error(
      'Setting edgeAddressHeader is for a CDN of your own: oneOrigin and domain name the header themselves.',
    );
  const secret = readSecret(context);
  const addressHeader = given ?? (isOurs ? VISITOR_HEADER : 'cloudfront-viewer-address');
  if (!/^[a-z0-9-]+$/i.test(addressHeader))
    throw new Error('Setting edgeAddressHeader must be the name of a header.');
  return secret === undefined ? undefined : { secret, addressHeader };
}

function readSecret(context: Context): EdgeSettings['secret'] | undefined {
  const secret = text(context, 'edgeSecret');
  const parameter = parameterName(context, 'edgeSecretParameter');
  if (secret !== undefined && parameter !== undefined)
    throw new Error('Setting edgeSecret and edgeSecretParameter are two ways to say the same: give one.');
  if (secret?.split(',').some((one) => one.length < 32) === true)
    throw new Error('Setting edgeSecret must have 32 characters or more.');
  if (secret !== undefined) return secret;
  if (parameter !== undefined) return { parameter };
  if (text(context, 'domain') !== undefined)
    return { parameter: parameterOf(text(context, 'environment'), 'edge-secret') };
  if (flag(context, 'oneOrigin'))
    throw new Error(
      'Setting oneOrigin needs edgeSecret or edgeSecretParameter: all visitors would count as one address without it.',
    );
  return undefined;
}

export function readDomain(context: Context, ephemeral: boolean): DomainSettings | undefined {
  const names = text(context, 'domain')
    ?.split(',')
    .map((one) => one.trim().toLowerCase());
  const zone = text(context, 'domainZone');
  const certificate = text(context, 'domainCertificate');
  const firewall = flag(context, 'firewall');
  const accessLogs = flag(context, 'accessLogs');
  const account = text(context, 'account');
  const region = text(context, 'region');
  if (zone !== undefined && !/^Z[A-Z0-9]{1,31}$/.test(zone))
    throw new Error('Setting domainZone must be the id of a hosted zone, such as Z0123456789ABC.');
  if (certificate !== undefined && !/^arn:aws:acm:us-east-1:\d{12}:certificate\/[\w-]+$/.test(certificate))
    throw new Error(
      'Setting domainCertificate must be the ARN of a certificate in us-east-1, for CloudFront.',
    );
  if (names === undefined) {
    const needing = Object.entries({
      domainZone: zone,
      domainCertificate: certificate,
      firewall,
      accessLogs,
    });
    const [name] = needing.find(([, value]) => Boolean(value)) ?? [];
    if (name !== undefined) throw new Error(`Setting ${name} needs domain.`);
    return undefined;
  }
  const wrong = names.find((name) => !DOMAIN.test(name));
  if (wrong !== undefined || new Set(names).size < names.length)
    throw new Error('Setting domain must be domain names, each once, such as t.shop.example.');
  if (ephemeral) throw new Error('Setting domain is for lasting deployments.');
  if (account === undefined || region === undefined)
    throw new Error('Setting domain needs account and region: its certificate is in us-east-1.');
  if (zone === undefined && certificate === undefined)
    throw new Error('Setting domain needs domainZone, or domainCertificate.');
  return { names, account, region, zone, certificate, firewall, accessLogs };
}
