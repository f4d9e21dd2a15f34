import { sink as sinkRequest } from '@sluice/destinations/kit'
import { expect, it } from 'vitest'
import { createStreamSink } from './stream-sink.ts'

const request = (userId: string) =>
  sinkRequest({ method: 'PUBLISH', endpoint: 'nats://broker.test:4222', body: { messages: [{ userId }] }, userId })

it('a message that may no longer leave once its connection is open is held back, and its connection stays', async () => {
  let open = (): void => {}
  let isDestroyed = false
  const published: unknown[] = []
  const opening = new Promise<void>((resolve) => {
    open = resolve
  })
  const sink = createStreamSink(async () => {
    await opening
    return {
      isUsable: true,
      publish: async (messages) => {
        published.push(...messages)
        return messages.map(() => ({ status: 200 }))
      },
      destroy: () => {
        isDestroyed = true
      },
    }
  })
  let isAllowed = true
  const options = { signal: new AbortController().signal, timeMs: 5_000 }
  const other = sink.send(request('other'), options)
  const held = sink.send(request('held'), { ...options, mayLeave: () => isAllowed })
  isAllowed = false
  open()
  expect(await held).toMatchObject({ kind: 'network', code: 'EHELDBACK' })
  expect(await other).toMatchObject({ kind: 'reply', status: 200 })
  expect([published.length, isDestroyed]).toEqual([1, false])
})
