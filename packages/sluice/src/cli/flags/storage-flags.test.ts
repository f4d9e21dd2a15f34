import { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { retentionOptionsOf, type StorageFlags, storeOptionsOf, withStorageFlags } from './storage-flags.ts'

function optionsOf(...words: string[]) {
  const command = withStorageFlags(new Command().exitOverride().configureOutput({ writeErr: () => {} }))
  command.parse(words, { from: 'user' })
  const flags = command.opts<StorageFlags>()
  return { ...storeOptionsOf(flags), ...retentionOptionsOf(flags) }
}

describe('flags of the store', () => {
  const cases = [
    ['--synchronous normal', { synchronous: 'normal' }],
    ['--synchronous full', { synchronous: 'full' }],
    ['--budget-mb 5', { budgetBytes: 5 * 1024 * 1024 }],
    ['--reserve-mb 0', { reserveBytes: 0 }],
    ['--keep-hours 0', { ageMs: 0 }],
    ['--keep-hours 48', { ageMs: 48 * 60 * 60 * 1000 }],
    ['--keep-mb 5', { bytesMax: 5 * 1024 * 1024 }],
  ] as const
  for (const [words, want] of cases) {
    it(words, () => expect(optionsOf(...words.split(' '))).toEqual(want))
  }
  it('set nothing when not given', () => expect(optionsOf()).toEqual({}))
  it('refuse invalid values', () => {
    expect(() => optionsOf('--budget-mb', '0')).toThrow('a whole number above 0')
    expect(() => optionsOf('--synchronous', 'off')).toThrow('full, normal')
  })
})
