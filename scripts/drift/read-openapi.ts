// The body of requests out of an OpenAPI document in JSON. Of alternatives (`oneOf`, `anyOf`) every field counts, and none is required.
import type { Field } from './description.ts';

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;
/** Descriptions refer to themselves. */
const DEPTH_MAX = 12;

/** `paths`: of the POST requests whose bodies are read. Throws where the document has none of that path. */
export function readOpenapi(text: string, paths: readonly string[]): Record<string, Field> {
  const document = JSON.parse(text) as Json;
  const fields: Record<string, Field> = {};
  for (const path of paths) {
    const content = at(document, 'paths', path, 'post', 'requestBody', 'content');
    const schema = isObject(content) ? Object.values(content).filter(isObject)[0]?.schema : undefined;
    if (!isObject(schema)) throw new Error(`the description has no request POST ${path}`);
    walk(schema, '', { document, fields, depth: 0 });
  }
  return fields;
}

const at = (from: unknown, ...keys: readonly string[]): unknown =>
  keys.reduce<unknown>((value, key) => (isObject(value) ? value[key] : undefined), from);

interface Walk {
  readonly document: Json;
  readonly fields: Record<string, Field>;
  readonly depth: number;
}

function resolved(schema: Json, document: Json): Json {
  if (typeof schema.$ref !== 'string') return schema;
  const target = at(document, ...schema.$ref.replace(/^#\//, '').split('/'));
  return isObject(target) ? resolved(target, document) : {};
}

function walk(given: Json, path: string, { document, fields, depth }: Walk): void {
  if (depth > DEPTH_MAX) return;
  const schema = resolved(given, document);
  const deeper = { document, fields, depth: depth + 1 };
  if (isObject(schema.items)) walk(schema.items, path, deeper);
  for (const part of partsOf(schema)) walk(part, path, deeper);
  const required = Array.isArray(schema.required) ? schema.required : [];
  for (const [name, property] of Object.entries(isObject(schema.properties) ? schema.properties : {})) {
    if (!isObject(property)) continue;
    const own = path === '' ? name : `${path}.${name}`;
    fields[own] = merged(fields[own], fieldOf(property, required.includes(name), document));
    walk(property, own, deeper);
  }
}

const partsOf = ({ allOf, anyOf, oneOf }: Json): readonly Json[] => [
  ...(Array.isArray(allOf) ? allOf.filter(isObject) : []),
  ...[anyOf, oneOf].flatMap((options) =>
    Array.isArray(options) ? options.filter(isObject).map(({ required: _, ...option }) => option) : [],
  ),
];

function fieldOf(given: Json, required: boolean, document: Json): Field {
  const schema = resolved(given, document);
  const item = isObject(schema.items) ? resolved(schema.items, document) : schema;
  const values = Array.isArray(item.enum) ? item.enum.map(String).sort() : undefined;
  const max = schema.maxItems ?? schema.maxLength;
  return {
    type: schema.type === 'array' ? `${typeOf(item)}[]` : typeOf(schema),
    ...(required ? { required } : {}),
    ...(schema.deprecated === true || given.deprecated === true ? { deprecated: true } : {}),
    ...(values === undefined ? {} : { values }),
    ...(typeof max === 'number' ? { max } : {}),
  };
}

const typeOf = ({ type, properties, allOf }: Json): string => {
  if (typeof type === 'string') return type;
  if (Array.isArray(type)) return type.join(' or ');
  return properties === undefined && allOf === undefined ? 'any' : 'object';
};

/** Of one name in several alternatives or requests. */
function merged(one: Field | undefined, other: Field): Field {
  if (one === undefined) return other;
  const values =
    one.values && other.values ? [...new Set([...one.values, ...other.values])].sort() : undefined;
  const { values: _, ...rest } = { ...other, ...one };
  return { ...rest, ...(values === undefined ? {} : { values }) };
}
