import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type AnnouncedTry, parseTryText, toTryText } from './announced-try.ts'

const announced: fc.Arbitrary<AnnouncedTry> = fc.oneof(
  fc.record({ kind: fc.constant('deletions' as const), from: fc.string() }),
  fc.record({
    kind: fc.constant('circuit' as const),
    from: fc.string(),
    workspaceId: fc.string(),
    destinationId: fc.string(),
  }),
)

describe('the notification of a try', () => {
  it('is read as it was written, whatever the ids are', () => {
    fc.assert(
      fc.property(announced, (each) => {
        expect(parseTryText(toTryText(each))).toEqual(each)
      }),
    )
  })

  it('is ignored when it is of a kind that this release does not know, or no JSON', () => {
    for (const text of [
      'try ',
      'try {',
      'try null',
      'try {"kind":"other","from":"n"}',
      'try {"kind":"circuit","from":"n"}',
    ])
      expect(parseTryText(text)).toBeUndefined()
  })
})
