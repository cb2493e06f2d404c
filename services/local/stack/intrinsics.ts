// CloudFormation's intrinsic functions, as far as a synthesized template needs them before it is deployed.
// Refuses: a function, or a reference, it cannot give the true value of; a wrong value would run.
import { LocalProblem } from '../problem.ts';

/** What references stand for in this host. Undefined: it has no such thing. */
export interface References {
  ref(logicalId: string): string | undefined;
  attribute(logicalId: string, name: string): string | undefined;
}

/** The node with every intrinsic function replaced by its value. */
export function resolve(node: unknown, references: References): unknown {
  if (Array.isArray(node)) return node.map((item) => resolve(item, references));
  if (typeof node !== 'object' || node === null) return node;
  const entries = Object.entries(node);
  const [first] = entries;
  if (entries.length === 1 && first !== undefined && (first[0] === 'Ref' || first[0].startsWith('Fn::'))) {
    return call(first[0], first[1], references);
  }
  return Object.fromEntries(entries.map(([key, value]) => [key, resolve(value, references)]));
}

function call(name: string, argument: unknown, references: References): unknown {
  switch (name) {
    case 'Ref':
      return ref(String(argument), references);
    case 'Fn::GetAtt':
      return attribute(argument, references);
    case 'Fn::Sub':
      return substitute(argument, references);
    case 'Fn::Join': {
      const [separator, items] = list(resolve(argument, references), name);
      return list(items, name).join(String(separator));
    }
    case 'Fn::Split': {
      const [separator, text] = list(resolve(argument, references), name);
      return String(text).split(String(separator));
    }
    case 'Fn::Select': {
      const [index, items] = list(resolve(argument, references), name);
      return list(items, name)[Number(index)];
    }
    default:
      throw new LocalProblem(`The template uses ${name}, which the embedded host cannot evaluate.`);
  }
}

function ref(logicalId: string, references: References): string {
  const value = references.ref(logicalId);
  if (value === undefined) throw unknown(logicalId);
  return value;
}

function attribute(argument: unknown, references: References): string {
  const path = typeof argument === 'string' ? argument : list(argument, 'Fn::GetAtt').join('.');
  const dot = path.indexOf('.');
  const value = references.attribute(path.slice(0, dot), path.slice(dot + 1));
  if (value === undefined) throw unknown(path);
  return value;
}

/** `${Id}` and `${Id.Attribute}`, own variables first; `${!x}` is a literal `${x}`. */
function substitute(argument: unknown, references: References): string {
  const [template, variables] = Array.isArray(argument) ? argument : [argument, {}];
  const own = resolve(variables ?? {}, references) as Record<string, unknown>;
  return String(template).replaceAll(/\$\{(!?)([^}]+)\}/g, (_match, literal: string, name: string) => {
    if (literal === '!') return `\${${name}}`;
    if (Object.hasOwn(own, name)) return String(own[name]);
    return name.includes('.') ? attribute(name, references) : ref(name, references);
  });
}

function list(value: unknown, name: string): unknown[] {
  if (!Array.isArray(value))
    throw new LocalProblem(`The template gives ${name} something other than a list.`);
  return value;
}

const unknown = (reference: string): LocalProblem =>
  new LocalProblem(`The template refers to ${reference}, which the embedded host does not provide.`);
