import { query } from '@sluice/destinations/kit'
import { describe, expect, it } from 'vitest'
import { createRecordingTransport, reply } from './recording-transport.ts'

const request = query({ method: 'GET', endpoint: 'https://api.test' })
const live = { signal: new AbortController().signal, timeMs: 1_000 }

describe('recording transport', () => {
  it('answers 200 by default, and records every request', async () => {
    const transport = createRecordingTransport()
    expect(await transport.send(request, live)).toEqual(reply(200))
    expect(await createRecordingTransport(() => reply(404, 'none')).send(request, live)).toEqual(reply(404, 'none'))
    expect(transport.requests).toEqual([request])
  })

  it('forgets the oldest requests when there are too many', async () => {
    const transport = createRecordingTransport(undefined, 2)
    for (const userId of ['a', 'b', 'c']) await transport.send({ ...request, userId }, live)
    expect(transport.requests.map(({ userId }) => userId)).toEqual(['b', 'c'])
  })

  it('rejects with the reason of an aborted signal', async () => {
    const signal = AbortSignal.abort(new Error('stopping'))
    await expect(createRecordingTransport().send(request, { ...live, signal })).rejects.toThrow('stopping')
  })
})
