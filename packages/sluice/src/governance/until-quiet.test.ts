import { describe, expect, it } from 'vitest'
import { createUntilQuiet } from './until-quiet.ts'

const target = { workspaceId: 'w', destinationId: 'd' }
const live = new AbortController().signal

describe('a deletion', () => {
  it('waits until the regulation is in force in all processes, and then for what they had begun before', async () => {
    const order: string[] = []
    let setInForce = (): void => {}
    const inForce = new Promise<void>((resolve) => (setInForce = resolve))
    const quiet = createUntilQuiet({
      index: { catchUp: async () => void order.push('in force here') },
      everywhere: () => inForce.then(() => void order.push('in force everywhere')),
      engine: { passed: async () => void order.push('earlier work has ended') },
    })
    const isQuiet = quiet(target, live)
    await new Promise<void>((resolve) => setImmediate(resolve))
    expect(order).toEqual(['in force here'])
    setInForce()
    expect(await isQuiet).toBe(true)
    expect(order).toEqual(['in force here', 'in force everywhere', 'earlier work has ended'])
  })

  it('does not begin while it is not in force in all processes', async () => {
    const quiet = createUntilQuiet({
      index: { catchUp: async () => {} },
      everywhere: async () => {
        throw new Error('not all processes have applied it')
      },
      engine: { passed: async () => {} },
    })
    await expect(quiet(target, live)).rejects.toThrow('not all processes')
  })
})
