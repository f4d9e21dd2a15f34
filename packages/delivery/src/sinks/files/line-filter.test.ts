import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createLineFilter } from './line-filter.ts'

async function* inChunks(bytes: Uint8Array, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  for (let start = 0, n = 0; start < bytes.length; n += 1) {
    const size = sizes[n % sizes.length] ?? bytes.length
    yield bytes.subarray(start, start + size)
    start += size
  }
}

async function without(
  text: string,
  users: readonly string[],
  at: 'events' | readonly (readonly string[])[] = [['userId']],
  sizes: readonly number[] = [text.length || 1],
) {
  const filter = createLineFilter(new Set(users), at === 'events' ? undefined : at)
  const bytes = Buffer.from(text)
  const kept: Uint8Array[] = []
  for await (const chunk of filter.without(inChunks(bytes, sizes))) kept.push(chunk)
  return { kept: Buffer.concat(kept).toString(), found: await filter.finds(inChunks(bytes, sizes)) }
}

/** Lines are events. */
const linesWithout = (text: string) => without(text, ['gone', '42', ''], 'events')

describe('a filter of lines', () => {
  const cases: readonly (readonly [string, string, string])[] = [
    ['removes the line of a user', '{"userId":"gone","n":1}\n{"userId":"stays"}\n', '{"userId":"stays"}\n'],
    ['removes a line however its id is encoded', '{"userId": " go\\u006ee\\u200b"}\n{"userId":\t"gone"}\r\n', ''],
    ['matches an id that was sent as a number', '{"userId":42}\n{"userId":"42"}\n{"userId":420}\n', '{"userId":420}\n'],
    [
      'removes a cut-off line that contains the user id',
      '{"userId":"stays"}\n{"a":1,"userId":"gone","tra',
      '{"userId":"stays"}\n',
    ],
    ['removes a cut-off line with the id as a number', '{"userId": 42,"b\n', ''],
    [
      'keeps lines that only mention the user',
      '{"userId":"stays","friend":"gone"}\n',
      '{"userId":"stays","friend":"gone"}\n',
    ],
    ['keeps lines with the id in another object', '{"traits":{"userId":"gone"}}\n', '{"traits":{"userId":"gone"}}\n'],
    ['keeps lines that are not objects', '\n[]\n"gone"\nnull\nnonsense gone\n', '\n[]\n"gone"\nnull\nnonsense gone\n'],
    ['keeps a last line without a line break unchanged', '{"userId":"gone"}\n{"userId":"x"}', '{"userId":"x"}'],
    [
      'keeps spaces and member order of other lines',
      '{ "b":1 , "userId" : "é" }\n{"userId":"gone"}\n',
      '{ "b":1 , "userId" : "é" }\n',
    ],
  ]
  for (const [what, before, after] of cases)
    it(what, async () =>
      expect(await without(before, ['gone', '42'])).toEqual({ kept: after, found: before !== after }),
    )

  const events = [
    '{"userId":"gone"}',
    '{"type":"alias","userId":"new","previousId":"gone"}',
    '{"type":"track","userId":"u","anonymousId":" gone"}',
    '{"type":"identify","anonymousId":"a","traits":{"id":"gone"}}',
    '{"type":"identify","anonymousId":"a","traits":{"userId":"gone"}}',
    '{"type":"track","userId":"u","context":{"externalId":[{"type":"t","id":"x"},{"type":"u","id":42}]}}',
    '{"type":"group","anonymousId":"a","context":{"traits":{"id":42}}}',
    '{"type":"merge","mergeProperties":[{"type":"userId","value":"gone"}]}',
    '{"type":"alias","userId":"new","previousId":"other"} {"previousId":"gone"',
  ]
  const others = [
    '{"type":"group","userId":"u","traits":{"id":"gone"},"groupId":"gone"}',
    '{"type":"track","userId":"u","properties":{"id":"gone","userId":"gone"}}',
    '{"userId":"","traits":{"id":null}}',
    '[{"userId":"gone"}]',
    '"gone"',
    '{"userId":"stays","friend":"gone"',
  ]
  it('removes each line that names the user in any member in which events do, when lines are events', async () => {
    for (const event of events) expect(await linesWithout(`${event}\n`)).toEqual({ kept: '', found: true })
    const text = `${others.join('\n')}\n`
    expect(await linesWithout(text)).toEqual({ kept: text, found: false })
    const filter = createLineFilter(new Set(['gone', '42', '']), undefined)
    expect(await filter.count(inChunks(Buffer.from([...others, ...events].join('\n')), [1_000]))).toBe(events.length)
  })

  it('reads the id at the first of the given paths that has a value', async () => {
    const at = [['data', 'user_id'], ['user_id']]
    const text = '{"data":{"user_id":"u"}}\n{"user_id":"u"}\n{"data":{"user_id":"v"},"user_id":"u"}\n{"userId":"u"}\n'
    expect((await without(text, ['u'], at)).kept).toBe('{"data":{"user_id":"v"},"user_id":"u"}\n{"userId":"u"}\n')
  })

  it('gives the same result whatever the chunks', async () => {
    const line = fc.oneof(
      fc
        .record({ userId: fc.constantFrom('gone', 'stays', 'é'), text: fc.string({ unit: 'grapheme' }) })
        .map((event) => JSON.stringify(event)),
      fc.constantFrom('', 'no JSON', '{"userId":"gone"'),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.array(line),
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }),
        fc.boolean(),
        async (lines, sizes, isEnded) => {
          const text = lines.join('\n') + (isEnded ? '\n' : '')
          const expected = text.split(/(?<=\n)/).filter((each) => !each.includes('{"userId":"gone"'))
          const { kept, found } = await without(text, ['gone'], [['userId']], sizes)
          expect(kept).toBe(expected.join(''))
          expect(found).toBe(kept !== text)
        },
      ),
    )
  })
})
