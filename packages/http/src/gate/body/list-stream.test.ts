import { expect, it } from 'vitest'
import { listStream } from './list-stream.ts'

async function textOf(elements: Iterable<object>): Promise<string> {
  return new Response(listStream({ member: 'parts', elements })).text()
}

it('writes the same text as JSON.stringify, however many elements there are', async () => {
  for (const length of [0, 1, 499, 500, 501, 1_700]) {
    const parts = Array.from({ length }, (_, id) => ({ id, text: 'ü"' }))
    expect(await textOf(parts)).toBe(JSON.stringify({ parts }))
  }
})

it('makes elements while they are sent, with turns of the event loop in between', async () => {
  let made = 0
  const madeAtTurns: number[] = []
  const watch = setInterval(() => madeAtTurns.push(made), 0)
  function* elements() {
    for (; made < 20_000; made += 1) yield { made }
  }
  await textOf(elements())
  clearInterval(watch)
  const steps = madeAtTurns.map((count, i) => count - (madeAtTurns[i - 1] ?? 0))
  expect(made).toBe(20_000)
  expect(steps.filter((step) => step > 0).length).toBeGreaterThan(1)
})
