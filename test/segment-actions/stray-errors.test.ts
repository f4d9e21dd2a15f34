import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { plainDefinition, type SmallPeer, writeSmallPeer } from '../support/faults/small-peer.ts'

let peer: SmallPeer | undefined
afterEach(() => peer?.remove())

/** Runs a program of its own that performs the action once, then continues for 40 ms. */
async function runProgram(definition: string, then = ''): Promise<{ status: unknown; stdout: string; stderr: string }> {
  peer = writeSmallPeer({ plain: `${plainDefinition}\n${definition}` })
  const program = `
    import { createExchange, createRecordingTransport } from '@sluice/delivery'
    import { mapEvent } from '@sluice/destinations'
    import { systemClock } from '@sluice/core'
    import { segmentActions } from '@sluice/segment-actions'
    const { definition } = segmentActions(${JSON.stringify(peer.folder)}).load('segment/plain')
    const settings = { url: 'https://product.test', key: 'secret-key' }
    const event = { type: 'track', event: 'X', userId: 'u' }
    const transport = createRecordingTransport()
    const exchange = createExchange({ definition, settings, transport, lookupTransport: transport, clock: systemClock, timeMs: 500 })
    const [request] = mapEvent(definition, event, settings, { now: 0 })
    const { judgement } = await exchange(request, { signal: new AbortController().signal }, [event])
    console.log(judgement.outcome)
    ${then}
    await new Promise((resolve) => setTimeout(resolve, 40))
    console.log('still running')`
  return new Promise((resolve) => {
    const options = { cwd: join(import.meta.dirname, '..') }
    execFile(process.execPath, ['--input-type=module', '-e', program], options, (error, stdout, stderr) =>
      resolve({ status: error?.code ?? 0, stdout, stderr }),
    )
  })
}

const perform = (body: string): string =>
  `exports.default.actions.send.perform = async (request, { settings }) => { ${body} }`

describe('errors of a definition that nothing waits for', () => {
  for (const [name, body] of [
    ['a rejected promise', 'Promise.reject(new Error(settings.key))'],
    ['an exception in a timer', 'setTimeout(() => { throw new Error(settings.key) }, 10)'],
    ['a request that fails later', "setTimeout(() => request('not an address'), 10)"],
  ] as const)
    it(`do not end the process, and are reported without their message: ${name}`, async () => {
      const { status, stdout, stderr } = await runProgram(perform(body))
      expect([status, stdout]).toEqual([0, 'delivered\nstill running\n'])
      expect(stderr).not.toContain('secret-key')
      if (!name.startsWith('a request'))
        expect(stderr).toContain('Code of Plain caused an error that nothing waited for (Error)')
    })

  it('are contained while a definition is loaded, too', async () => {
    const { status, stdout } = await runProgram('setTimeout(() => { throw new Error("later") }, 5)')
    expect([status, stdout]).toEqual([0, 'delivered\nstill running\n'])
  })

  it('of the program itself end it as before', async () => {
    for (const own of ["Promise.reject(new Error('mine'))", "setTimeout(() => { throw new Error('mine') })"]) {
      const { status, stdout, stderr } = await runProgram('', own)
      expect([status, stdout]).toEqual([1, 'delivered\n'])
      expect(stderr).toContain('Error: mine')
    }
  })
})
