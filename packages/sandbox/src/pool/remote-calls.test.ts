import { describe, expect, it } from 'vitest'
import type { MessageFromWorker } from './messages/worker-messages.ts'
import { RemoteCalls } from './remote-calls.ts'

type Call = Extract<MessageFromWorker, { kind: 'call' }>

function recorded() {
  const posted: MessageFromWorker[] = []
  const calls = new RemoteCalls((message) => posted.push(message))
  const sent = (): Call[] => posted.filter((message) => message.kind === 'call')
  return { calls, posted, sent }
}
const batch = () => new AbortController()

describe('calls from a worker to the main thread', () => {
  it('are sent a limited number at a time, the next when one is answered', async () => {
    const { calls, sent } = recorded()
    const { signal } = batch()
    const answers = Array.from({ length: 300 }, (_, n) => calls.proxy('f')([n], { signal }))
    expect(sent()).toHaveLength(250)
    calls.answer(sent()[7]?.call ?? 0, 'seven')
    expect(await answers[7]).toBe('seven')
    expect(sent()).toHaveLength(251)
    calls.refuse(sent()[8]?.call ?? 0, 'TypeError', 'no')
    await expect(answers[8]).rejects.toThrow('no')
    expect(sent().map(({ args }) => JSON.parse(args)[0])).toEqual(Array.from({ length: 252 }, (_, n) => n))
  })
  it('wait for earlier ones when their arguments are long, but one is always sent', () => {
    const { calls, sent } = recorded()
    const { signal } = batch()
    for (const length of [5e6, 1e6, 3e6, 1e6]) void calls.proxy('f')(['x'.repeat(length)], { signal })
    expect(sent()).toHaveLength(1)
    calls.answer(1, null)
    expect(sent()).toHaveLength(3)
  })
  it('of one batch do not delay those of another', () => {
    const { calls, sent } = recorded()
    const [slow, other] = [batch(), batch()]
    for (let n = 0; n < 1_000; n += 1) void calls.proxy('f')([n], { signal: slow.signal })
    void calls.proxy('g')([], { signal: other.signal })
    expect(sent().at(-1)).toMatchObject({ name: 'g' })
  })
  it('end with their batch, including those that wait', async () => {
    const { calls, posted, sent } = recorded()
    const controller = batch()
    const answers = Array.from({ length: 260 }, () => calls.proxy('f')([], { signal: controller.signal }))
    controller.abort()
    for (const answer of answers) await expect(answer).rejects.toThrow('the batch is over')
    expect(sent()).toHaveLength(250)
    expect(posted.at(-1)).toMatchObject({ kind: 'callsOver' })
    calls.answer(1, 'too late')
    expect(sent()).toHaveLength(250)
  })
})
