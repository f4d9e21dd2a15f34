import { createSandbox } from '@sluice/sandbox'
import { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { type SandboxFlags, sandboxOptionsOf, withSandboxFlags } from './sandbox-flags.ts'

async function optionsOf(...words: string[]) {
  const command = withSandboxFlags(new Command().exitOverride().configureOutput({ writeErr: () => {} }))
  command.parse(words, { from: 'user' })
  return sandboxOptionsOf(command.opts<SandboxFlags>())
}

describe('flags of the sandbox', () => {
  const cases = [
    ['--isolation event', { isolation: 'event', limits: {} }],
    ['--event-time 5', { limits: { eventTimeMs: 5 } }],
    ['--batch-time 5', { limits: { batchTimeMs: 5 } }],
    ['--async-time 5', { limits: { asyncTimeMs: 5 } }],
    ['--memory 32', { limits: { memoryBytes: 32 * 1024 * 1024 } }],
    ['--stack 64', { limits: { stackBytes: 64 * 1024 } }],
    ['--output 1', { limits: { outputBytesPerEvent: 1024 } }],
    ['--log 1', { limits: { logBytesPerEvent: 1024 } }],
    ['--fan-out 5', { limits: { fanOutMax: 5 } }],
    ['--workers 2', { workers: 2, limits: {} }],
    ['--queue 5', { queueLengthMax: 5, limits: {} }],
    ['--warm 5', { warm: { programsMax: 5 }, limits: {} }],
    ['--warm-memory 5', { warm: { imagesBytesMax: 5 * 1024 * 1024 }, limits: {} }],
    ['--fetch-allow a.test --fetch-allow b.test', { fetch: { allow: ['a.test', 'b.test'] }, limits: {} }],
    ['--in-process', { mode: 'in-process', limits: {} }],
  ] as const
  for (const [words, want] of cases) {
    it(words, async () => expect(await optionsOf(...words.split(' '))).toEqual(want))
  }
  it('mark code as trusted, but not in this thread, where nothing could stop it', async () => {
    expect(await optionsOf('--trusted-code')).toEqual({ code: 'trusted', limits: {} })
    await expect(optionsOf('--trusted-code', '--in-process')).rejects.toThrow('--trusted-code needs threads')
  })
  it('set nothing when not given', async () => expect(await optionsOf()).toEqual({ limits: {} }))
  it('let user code reach an address only together with a host', async () => {
    const words = ['--fetch-allow', 'a.test', '--fetch-address', 'localhost', '--fetch-address', '10.1.0.0/16']
    const fetch = { allow: ['a.test'], allowAddresses: ['localhost', '10.1.0.0/16'] }
    expect(await optionsOf(...words)).toEqual({ fetch, limits: {} })
    await expect(optionsOf('--fetch-address', 'localhost')).rejects.toThrow('--fetch-address needs --fetch-allow HOST')
    await expect(optionsOf('--fetch-allow', 'a.test', '--fetch-address', 'nearby')).rejects.toThrow('expected a range')
  })
  it('are whole numbers above 0', async () => {
    for (const value of ['0', '-1', '1.5', 'x', ''])
      await expect(optionsOf('--queue', value)).rejects.toThrow('a whole number')
  })
  it('can all be used together', async () => {
    const words = cases.flatMap(([text]) => text.split(' '))
    const sandbox = await createSandbox(await optionsOf(...words))
    await sandbox.close()
  })
})
