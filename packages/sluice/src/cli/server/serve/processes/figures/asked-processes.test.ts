import { describe, expect, it } from 'vitest'
import { AskedProcesses } from './asked-processes.ts'

/** Processes that are asked; the test answers for them. */
function scene(serving: readonly number[], timeMs = 20) {
  const sent: { readonly number: number; readonly id: number }[] = []
  const asked = new AskedProcesses({
    serving: () => serving,
    send: (number, id) => void sent.push({ number, id }),
    timeMs,
  })
  const answer = (number: number, health = 'ok'): void => {
    const found = sent.findIndex((each) => each.number === number)
    const [question] = sent.splice(found, 1)
    if (question) asked.answered(number, question.id, health)
  }
  return { asked, sent, answer }
}

describe('a question to all processes', () => {
  it('has the answers of those that serve', async () => {
    const { asked, answer } = scene([1, 3])
    const found = asked.ask('health')
    answer(3, 'stopping')
    answer(1)
    expect([...(await found)].sort()).toEqual([
      [1, 'ok'],
      [3, 'stopping'],
    ])
  })

  it('ends without one that does not answer in time, or ends meanwhile', async () => {
    const { asked, answer } = scene([1, 2, 3])
    const found = asked.ask('health')
    answer(1)
    asked.ended(2)
    expect([...(await found).keys()]).toEqual([1])
  })

  it('has no answer of a process that has ended since, because its successor begins at zero', async () => {
    const { asked, answer } = scene([1, 2])
    const found = asked.ask('health')
    answer(1)
    asked.ended(1)
    answer(2)
    expect([...(await found).keys()]).toEqual([2])
  })

  it('ends at once when no process serves', async () => {
    expect((await scene([], 1_000_000).asked.ask('health')).size).toBe(0)
  })

  it('is under way once: callers that come meanwhile share the next time', async () => {
    const { asked, sent, answer } = scene([1])
    const first = asked.ask('health')
    const later = [asked.ask('health'), asked.ask('health')]
    expect(sent).toHaveLength(1)
    answer(1, 'before')
    expect((await first).get(1)).toBe('before')
    await Promise.resolve()
    expect(sent).toHaveLength(1)
    answer(1, 'after')
    for (const each of later) expect((await each).get(1)).toBe('after')
  })

  it('takes no answer to a question that has ended', async () => {
    const { asked, answer } = scene([1])
    expect((await asked.ask('health')).size).toBe(0)
    answer(1)
    const next = asked.ask('health')
    answer(1)
    expect((await next).size).toBe(1)
  })
})
