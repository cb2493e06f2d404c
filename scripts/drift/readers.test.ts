// Goal: names, types, what is required, allowed values and limits are read out of each kind of description, and one that is made
// otherwise is refused, not read as empty.
import { describe, expect, it } from 'vitest';
import { readJavaModels, readMetaSdk } from './read-classes.ts';
import { readOpenapi } from './read-openapi.ts';
import { readProto } from './read-proto.ts';

describe('OpenAPI', () => {
  const post = (schema: unknown) => ({
    post: { requestBody: { content: { 'application/json': { schema } } } },
  });
  const document = {
    paths: {
      '/events': post({ $ref: '#/components/schemas/Events' }),
      '/bulk': post({ properties: { kind: { type: 'string', enum: ['bulk'] } } }),
    },
    components: {
      schemas: {
        Events: {
          type: 'object',
          required: ['data'],
          properties: {
            data: { type: 'array', maxItems: 1_000, items: { $ref: '#/components/schemas/Event' } },
            kind: { type: 'string', enum: ['one'] },
          },
        },
        Event: {
          allOf: [
            { type: 'object', required: ['name'], properties: { name: { type: 'string', maxLength: 20 } } },
          ],
          properties: {
            source: { type: 'string', enum: ['web', 'app'] },
            old: { type: 'integer', deprecated: true },
            user: {
              anyOf: [
                { required: ['em'], properties: { em: { type: 'array', items: { type: 'string' } } } },
                { required: ['ip'], properties: { ip: { type: ['string', 'null'] } } },
              ],
            },
            inner: { $ref: '#/components/schemas/Event' },
          },
        },
      },
    },
  };

  it('is read through references, lists and alternatives, and ends where it refers to itself', () => {
    const fields = readOpenapi(JSON.stringify(document), ['/events', '/bulk']);
    expect(fields).toMatchObject({
      data: { type: 'object[]', required: true, max: 1_000 },
      kind: { values: ['bulk', 'one'] },
      'data.name': { type: 'string', required: true, max: 20 },
      'data.source': { values: ['app', 'web'] },
      'data.old': { type: 'integer', deprecated: true },
      'data.user.em': { type: 'string[]' },
      'data.user.ip': { type: 'string or null' },
    });
    expect(fields['data.user.em']).not.toHaveProperty('required');
    expect(Object.keys(fields).length).toBeLessThan(200);
  });

  it.each([['{}'], ['{"paths":{"/events":{"get":{}}}}'], ['[]'], ['null']])(
    '%s has no such request',
    (text) => expect(() => readOpenapi(text, ['/events'])).toThrow('no request POST /events'),
  );
  it('that is cut off is refused', () =>
    expect(() => readOpenapi('{"paths":', ['/events'])).toThrow(SyntaxError));
});

it('protocol buffers are read by their JSON names, comments and messages within messages apart', () => {
  const main = `syntax = "proto3";
    // message Ghost { string gone = 1; }
    message Request {
      // Required. string not_me = 9;
      repeated Event events = 1 [(google.api.field_behavior) = REQUIRED];
      optional bool validate_only = 2 [
        (google.api.field_behavior) = OPTIONAL
      ];
      message Inner { string deep_name = 1; enum Kind { KIND_UNSPECIFIED = 0; A = 1; } Kind kind = 2; }
      Inner inner_part = 3;
      oneof id { string first_id = 4; string second_id = 5; }
      map<string, string> labels = 6;
      string old = 7 [deprecated = true, (google.api.field_behavior) = REQUIRED];
      reserved 8;
    }`;
  const other = `message Event { google.protobuf.Timestamp at = 1; Source source = 2; Event parent = 3; }
    enum Source { SOURCE_UNSPECIFIED = 0; WEB = 1; /* APP = 3; */ IN_STORE = 2; }`;
  expect(readProto([main, other], 'Request')).toEqual({
    events: { type: 'object[]', required: true },
    'events.at': { type: 'Timestamp' },
    'events.source': { type: 'Source', values: ['IN_STORE', 'WEB'] },
    'events.parent': { type: 'object' },
    validateOnly: { type: 'bool' },
    innerPart: { type: 'object' },
    'innerPart.deepName': { type: 'string' },
    'innerPart.kind': { type: 'Kind', values: ['A'] },
    firstId: { type: 'string' },
    secondId: { type: 'string' },
    labels: { type: 'map' },
    old: { type: 'string', required: true, deprecated: true },
  });
  expect(() => readProto([other], 'Request')).toThrow('no message Request');
  expect(() => readProto(['message Request {'.repeat(3)], 'Other')).toThrow('no message Other');
});

it('Meta’s classes are read by what they normalize', () => {
  const event = `class E {
  set(x) { this._other = x; }
  normalize(): Object {
    const e = {};
    if (this.event_name) {
      e.event_name = this.event_name;
    }
    e.user_data = this.user_data.normalize();
    if (e.x == 1) return e;
    return e;
  }
  toJson() { const j = {}; j.not_sent = 1; }
}`;
  const user = `\n  normalize(): Object {\n    const u = {};\n    u['em'] = this.emails;\n    return u;\n  }\n`;
  expect(
    readMetaSdk(
      new Map([
        ['server-event', event],
        ['user-data', user],
      ]),
    ),
  ).toEqual({
    data: { type: 'object[]' },
    'data.event_name': { type: 'any' },
    'data.user_data': { type: 'object' },
    'data.user_data.em': { type: 'any' },
  });
  expect(() => readMetaSdk(new Map([['server-event', 'export class E {}']]))).toThrow('no event_name');
});

it('generated Java classes are read by what they serialize', () => {
  const request = `public static final String SERIALIZED_NAME_DATA = "data";
    @SerializedName(SERIALIZED_NAME_DATA)
    private List<Event> data = new ArrayList<>();
    openapiRequiredFields.add("data");`;
  const event = `public static final String SERIALIZED_NAME_KIND = "kind";
    @javax.annotation.Nullable
    @SerializedName(SERIALIZED_NAME_KIND)
    private KindEnum kind;
    public enum KindEnum { WEB("WEB"), MOBILE_APP("MOBILE_APP"); }
    public static final String SERIALIZED_NAME_TIME = "event_time";
    @SerializedName(SERIALIZED_NAME_TIME)
    private Long eventTime;`;
  expect(
    readJavaModels(
      new Map([
        ['Request', request],
        ['Event', event],
      ]),
      'Request',
    ),
  ).toEqual({
    data: { type: 'object[]', required: true },
    'data.kind': { type: 'KindEnum', values: ['MOBILE_APP', 'WEB'] },
    'data.event_time': { type: 'Long' },
  });
  expect(() => readJavaModels(new Map(), 'Request')).toThrow('no class Request');
});
