import { availableParallelism } from 'node:os'
import { describe, expect, it } from 'vitest'
import { CliError } from '../../../cli-error.ts'
import { serveCommand } from '../serve-command.ts'
import type { ServeFlags } from '../serve-flags.ts'
import { processCount } from './process-count.ts'

const alone: ServeFlags = serveCommand().opts()
const shared: ServeFlags = { ...alone, store: 'postgres://localhost/sluice' }

describe('the number of processes', () => {
  it('is one when none is given, also with a store in a file', () => {
    expect([processCount(alone), processCount({ ...alone, processes: 1 }), processCount(shared)]).toEqual([1, 1, 1])
  })

  it('is what is given, or one per core', () => {
    expect(processCount({ ...shared, processes: 3 })).toBe(3)
    expect(processCount({ ...shared, processes: 'auto' })).toBe(Math.min(32, availableParallelism()))
  })

  const refused: readonly [string, Partial<ServeFlags>, RegExp][] = [
    ['a store in a file', { store: undefined } as Partial<ServeFlags>, /--processes needs a database .*--store/],
    ['the sample', { sample: true }, /--sample .*leave out --processes/],
    ['events of a file', { events: [{ source: 'web', path: 'a' }] }, /--events is for one process/],
    ['an end after the events', { once: true }, /--once is for one process/],
  ]
  for (const [what, flags, text] of refused)
    it(`is refused with ${what}, which one process has for itself`, () => {
      expect(() => processCount({ ...shared, processes: 2, ...flags })).toThrow(CliError)
      expect(() => processCount({ ...shared, processes: 2, ...flags })).toThrow(text)
    })
})
