// Goal: a pasted text that is not an event gives an error with its position.
import { describe, expect, it } from 'vitest';
import { readPasted } from './pasted-event.ts';

describe('a pasted text', () => {
  it('is an event when it is an object', () => {
    expect(readPasted(' {"event_name":"Purchase","events":1} ')).toEqual({
      event: { event_name: 'Purchase', events: 1 },
    });
    expect(readPasted('\n')).toEqual({ problem: undefined });
  });

  it.each([
    ['{\n  "event_name": "Purchase",\n  value: 3\n}', 'This is not JSON: line 3, column 3, at “value: 3”.'],
    ['{"a": 1,}', 'This is not JSON: line 1, column 9, at “}”.'],
    ['{"a": "👩‍👩‍👧" x}', 'This is not JSON: line 1, column 18, at “x}”.'],
    ['{"a": 1', 'This is not JSON: it ends too early, at line 1, column 8.'],
    ['{\r\n"a": 1,\r\n', 'This is not JSON: it ends too early, at line 3, column 1.'],
    ['{"a": "x\ny"}', 'This is not JSON: line 1, column 7, at “"x”.'],
    ['{"a": 01}', 'This is not JSON: line 1, column 7, at “01}”.'],
    ['{"a": {"b": [1, {"c": "\\q"}]}}', 'This is not JSON: line 1, column 23, at “"\\q"}]}}”.'],
    ['{"a" 1}', 'This is not JSON: line 1, column 6, at “1}”.'],
    ['{"a": 1} {', 'This is not JSON: line 1, column 10, at “{”.'],
    ['{"a": [1}', 'This is not JSON: line 1, column 9, at “}”.'],
    ['<img src=x onerror=alert(1)>', 'This is not JSON: line 1, column 1, at “<img src=x onerror=a”.'],
    ['[{"event_name":"Purchase"}]', 'This is a list: paste one event, from { to }.'],
    ['"Purchase"', 'This is no event: it begins with { and ends with }.'],
    ['null', 'This is no event: it begins with { and ends with }.'],
    ['{"events":[{"event_name":"Purchase"}]}', /several events/],
    [`{"a":"${'é'.repeat(131_072)}"}`, /too long for one event/],
  ])('%j is refused with the place', (text, problem) => {
    const read = readPasted(text);
    const said = 'problem' in read ? read.problem : 'an event';
    if (problem instanceof RegExp) expect(said).toMatch(problem);
    else expect(said).toBe(problem);
  });
});
