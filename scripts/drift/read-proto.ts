// A message and what it holds out of protocol buffer files, by the names that JSON has for its fields.
import type { Field } from './description.ts';

interface Part {
  readonly name: string;
  readonly type: string;
  readonly repeated: boolean;
  readonly options: string;
}

const MESSAGE = /\b(message|enum)\s+(\w+)\s*\{/g;
const FIELD =
  /(?:^|[;{}])\s*(repeated\s+|optional\s+)?(map<[^>]*>|[\w.]+)\s+(\w+)\s*=\s*\d+\s*(\[[^\]]*\])?(?=\s*;)/g;
const VALUE = /\b([A-Z][A-Z0-9_]*)\s*=\s*\d+/g;

/** Throws where no file has the message. */
export function readProto(texts: readonly string[], root: string): Record<string, Field> {
  const messages = new Map<string, readonly Part[]>();
  const enums = new Map<string, readonly string[]>();
  for (const text of texts) collect(text.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, ''), messages, enums);
  if (!messages.has(root)) throw new Error(`the description has no message ${root}`);
  const fields: Record<string, Field> = {};
  const walk = (message: string, path: string, above: readonly string[]): void => {
    for (const { name, type, repeated, options } of messages.get(message) ?? []) {
      const own = path === '' ? name : `${path}.${name}`;
      const values = enums.get(type);
      const shown = messages.has(type) ? 'object' : type;
      fields[own] = {
        type: repeated ? `${shown}[]` : shown,
        ...(/field_behavior\)\s*=\s*REQUIRED/.test(options) ? { required: true } : {}),
        ...(/\bdeprecated\s*=\s*true/.test(options) ? { deprecated: true } : {}),
        ...(values === undefined ? {} : { values: [...values] }),
      };
      if (!above.includes(type)) walk(type, own, [...above, type]);
    }
  };
  walk(root, '', [root]);
  return fields;
}

/** Messages within messages go by their own name. */
function collect(
  text: string,
  messages: Map<string, readonly Part[]>,
  enums: Map<string, readonly string[]>,
): void {
  for (const { 0: head, 1: kind, 2: name = '', index } of text.matchAll(MESSAGE)) {
    const body = bodyFrom(text, index + head.length);
    if (kind === 'enum')
      enums.set(
        name,
        [...body.matchAll(VALUE)]
          .map(([, value = '']) => value)
          .filter((value) => !value.endsWith('_UNSPECIFIED'))
          .sort(),
      );
    else messages.set(name, partsIn(withoutInner(body)));
  }
}

function bodyFrom(text: string, from: number): string {
  let depth = 1;
  for (let at = from; at < text.length; at++) {
    if (text[at] === '{') depth += 1;
    if (text[at] === '}') depth -= 1;
    if (depth === 0) return text.slice(from, at);
  }
  return text.slice(from);
}

/** The fields of a `oneof` are the message's own; those of messages within it are not. */
function withoutInner(body: string): string {
  const [inner] = body.matchAll(MESSAGE);
  if (inner === undefined) return body.replace(/\boneof\s+\w+\s*\{/g, ';');
  const from = inner.index + inner[0].length;
  return withoutInner(body.slice(0, inner.index) + body.slice(from + bodyFrom(body, from).length + 1));
}

const partsIn = (body: string): readonly Part[] =>
  [...body.matchAll(FIELD)].map(([, label = '', type = '', name = '', options = '']) => ({
    name: name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
    type: type.startsWith('map') ? 'map' : (type.split('.').at(-1) ?? type),
    repeated: label.startsWith('repeated'),
    options,
  }));
