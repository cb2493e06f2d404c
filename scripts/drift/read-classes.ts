// Names and types of a request out of the classes of an SDK: Meta's for Node.js, which says what it sends in `normalize`, and those
// that OpenAPI Generator makes for Java.
import type { Field } from './description.ts';

interface Member {
  readonly name: string;
  readonly field: Field;
  /** Class whose members it holds. */
  readonly of?: string;
}
type Classes = ReadonlyMap<string, readonly Member[]>;

function flattened(classes: Classes, root: string): Record<string, Field> {
  if (!classes.has(root)) throw new Error(`the description has no class ${root}`);
  const fields: Record<string, Field> = {};
  const walk = (name: string, path: string, above: readonly string[]): void => {
    for (const { name: own, field, of } of classes.get(name) ?? []) {
      const at = path === '' ? own : `${path}.${own}`;
      fields[at] = field;
      if (of !== undefined && !above.includes(of)) walk(of, at, [...above, of]);
    }
  };
  walk(root, '', [root]);
  return fields;
}

/** What SDK classes nest, by the name of the field; the SDK says it in code only. */
const NESTED: Readonly<Record<string, string>> = {
  user_data: 'user-data',
  custom_data: 'custom-data',
  app_data: 'app-data',
  contents: 'content',
  original_event_data: 'original-event-data',
  attribution_data: 'attribution-data',
};
const SENT = /\b\w+(?:\.(\w+)|\['(\w+)'\]) = (?!=)/g;

/** `files`: name of a class's file → its text. The event is in `data` of the request. */
export function readMetaSdk(files: ReadonlyMap<string, string>): Record<string, Field> {
  const classes = new Map<string, Member[]>([
    ['request', [{ name: 'data', field: { type: 'object[]' }, of: 'server-event' }]],
  ]);
  for (const [file, text] of files) {
    const [, , body = ''] = /\n([\t ]*)normalize\(\)[^{]*\{([\s\S]*?)\n\1\}/.exec(text) ?? [];
    const names = [...body.matchAll(SENT)].flatMap(([all, dotted, quoted]) =>
      all.startsWith('this.') ? [] : [dotted ?? quoted ?? ''],
    );
    classes.set(
      file,
      [...new Set(names)].map((name) => {
        const of = NESTED[name];
        return {
          name,
          field: { type: of === undefined ? 'any' : 'object' },
          ...(of === undefined ? {} : { of }),
        };
      }),
    );
  }
  for (const name of ['event_name', 'user_data'])
    if (!classes.get('server-event')?.some((one) => one.name === name))
      throw new Error(`the description has no ${name} in server-event`);
  return flattened(classes, 'request');
}

const JAVA_FIELD = /SERIALIZED_NAME_\w+ = "(\w+)";\s*(?:@[^\n]*\n\s*)*private ([\w<>., ]+?) \w+\s*[;=]/g;
const JAVA_ENUM = /public enum (\w+) \{\s*((?:\w+\([^)]*\)[,;]?\s*)+)/g;

/** `files`: name of a class → its text. */
export function readJavaModels(files: ReadonlyMap<string, string>, root: string): Record<string, Field> {
  const classes = new Map<string, readonly Member[]>();
  for (const [file, text] of files) {
    const required = new Set(
      [...text.matchAll(/openapiRequiredFields\.add\("(\w+)"\)/g)].map(([, name]) => name),
    );
    const enums = new Map(
      [...text.matchAll(JAVA_ENUM)].map(([, name = '', body = '']) => [
        name,
        [...body.matchAll(/\("([^"]*)"\)/g)].map(([, value = '']) => value).sort(),
      ]),
    );
    classes.set(
      file,
      [...text.matchAll(JAVA_FIELD)].map(([, name = '', declared = '']) => {
        const inner = /<(?:.*,\s*)?(\w+)>/.exec(declared)?.[1] ?? declared;
        const values = enums.get(inner);
        const shown = files.has(inner) ? 'object' : inner;
        return {
          name,
          field: {
            type: declared.startsWith('List<') ? `${shown}[]` : shown,
            ...(required.has(name) ? { required: true } : {}),
            ...(values === undefined ? {} : { values }),
          },
          ...(files.has(inner) ? { of: inner } : {}),
        };
      }),
    );
  }
  return flattened(classes, root);
}
